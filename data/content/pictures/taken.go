package pictures

import (
	"encoding/json"
	"slices"
	"time"

	"plaza/data"
)

// ProfilePicture is the use of a picture as the avatar of a member, or as the icon or banner of a community.
type ProfilePicture struct {
	Sum       string
	Kind      string  // avatar, icon or banner
	ID        data.ID // of the member or community
	Community string  // its name in lower case; "" for a member
}

const (
	// :list has the sum, kind and id of portraits. Portraits that are not in use any more are skipped. Primary keys.
	noteTaken = `UPDATE pictures SET check_at = max(coalesce(check_at, 0), :until), taken = (SELECT json_group_array(json(t.item))
  FROM (SELECT x.value AS item FROM json_each(pictures.taken) x UNION SELECT json_array(u.kind, u.subject_id) FROM json_each(:list) j
  CROSS JOIN picture_uses u ON u.sum = pictures.sum AND u.kind = j.value ->> 1 AND u.subject_id = j.value ->> 2
  WHERE j.value ->> 0 = pictures.sum) t) WHERE sum IN (SELECT value ->> 0 FROM json_each(:list)) AND state = 'stored'`
	// Keeps only uses for which there still is a block. The job that deletes unused pictures may have checked the picture just before, so
	// the picture is claimed until :until. Primary key, index picture_blocks_sum.
	forgetTaken = `UPDATE pictures SET check_at = iif(state = 'stored', max(coalesce(check_at, 0), :until), check_at),
   taken = (SELECT nullif(json_group_array(json(t.value)), '[]') FROM json_each(pictures.taken) t
  WHERE EXISTS (SELECT 1 FROM picture_blocks b WHERE b.sum = pictures.sum AND b.community_id IN (0, t.value ->> 1)))
WHERE sum IN (SELECT value FROM json_each(:sums)) AND taken IS NOT NULL`
)

// RecordRemovedUses adds a statement to w that records the uses of pictures before they are removed. Call it before the statements that
// remove them. The pictures are kept at least until the given time. It returns their sums.
func RecordRemovedUses(w *data.Write, from []ProfilePicture, until time.Time) []string {
	list := make([][3]any, len(from))
	for i, p := range from {
		list[i] = [3]any{p.Sum, p.Kind, int64(p.ID)}
	}
	text, _ := json.Marshal(list) // encoding texts and numbers can't fail
	w.Do(noteTaken, data.Args{"list": string(text), "until": until})
	return sumsOfAll(from)
}

// ForgetRemovedUses adds a statement to w, after the statements that delete blocks: it deletes the recorded uses for which no block is
// left.
func ForgetRemovedUses(w *data.Write, from []ProfilePicture, now time.Time) {
	w.Do(forgetTaken, data.Args{"sums": sumsOfAll(from), "until": now.Add(UsedAfter)})
}

func sumsOfAll(list []ProfilePicture) (sums []string) {
	for _, p := range list {
		if !slices.Contains(sums, p.Sum) {
			sums = append(sums, p.Sum)
		}
	}
	return sums
}
