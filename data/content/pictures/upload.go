package pictures

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/rights/reputation"
	"plaza/locale"
)

// Who may upload pictures.
const (
	ByNobody    = "nobody"
	ByTrusted   = "trusted"
	ByEverybody = "everybody"
)

// DefaultCommentPictures is the default of who may add pictures to comments.
const DefaultCommentPictures = ByTrusted

// UsedAfter is how long an unused picture is kept.
const UsedAfter = 24 * time.Hour

// PerDay is how many pictures a member may upload in a day, by level: new members; members with either the age or the karma for trust;
// trusted members, who have both, or moderate.
var PerDay = [...]int{10, 30, 100}

// The defaults. MemberRoom and SiteRoom limit the size of pictures, in MB. Cloudflare stores 10 GB for free; small versions and pictures
// that are being deleted need the rest.
const (
	DefaultUploads = ByTrusted
	MemberRoom     = 500
	SiteRoom       = 8000
)

// Upload is an uploaded picture.
type Upload struct {
	Sum           string
	Type          string
	Width, Height int
	Bytes         int64
	Small         bool
	Colour        string
	Hash          *int64 // nil if it is not known
	Community     string // where the picture will be posted; "" if not known
}

// Store keeps pictures.
type Store struct{ data.Base }

const (
	// level is the level of member u, an index into PerDay. Index moderators_user.
	level = `iif(:roles AND (u.admin = 1 OR EXISTS (SELECT 1 FROM moderators m WHERE m.user_id = u.id)), 2, (u.created_at <= :known)
  + (u.karma >= 20))`
	// facts is a table of one row. Primary keys, and 200 rows of the index pictures_user at most.
	facts = `(SELECT ` + level + ` AS level, (SELECT count(*) FROM (SELECT 1 FROM pictures p WHERE p.user_id = u.id AND p.user_id IS NOT NULL
  AND p.created_at > :day LIMIT 200)) AS today,
  coalesce((SELECT t.bytes FROM picture_totals t WHERE t.user_id = u.id), 0) AS own,
  coalesce((SELECT t.bytes FROM picture_totals t WHERE t.user_id = 0), 0) AS site
FROM users u WHERE u.id = :actor AND u.status = 'active')`
	// set is a table of one row with settings of the site: who may upload, and the limits of stored bytes.
	set = `(SELECT coalesce(max(z.body ->> 'uploads'), 'trusted') AS by, coalesce(max(z.body ->> 'member_room'), 500) * 1048576 AS member_room,
  coalesce(max(z.body ->> 'site_room'), 8000) * 1048576 AS site_room FROM site_settings z WHERE z.id = 1)`
	// setOfComment is set for a comment in the community :community. It has the strictest of three settings: who may upload, who may add
	// pictures to comments on the site, and who may do so in the community. Unique index on name_key.
	setOfComment = `(SELECT CASE WHEN 'nobody' IN (v.by, v.comments, v.here) THEN 'nobody' WHEN 'trusted' IN (v.by, v.comments, v.here)
  THEN 'trusted' ELSE 'everybody' END AS by, v.member_room, v.site_room FROM (SELECT s.by, s.member_room, s.site_room,
  (SELECT coalesce(max(z.body ->> 'comment_pictures'), 'trusted') FROM site_settings z WHERE z.id = 1) AS comments,
  coalesce((SELECT k.comment_pictures FROM communities k WHERE k.name_key = :community), '') AS here FROM ` + set + ` s) v)`
	trusts     = `(y.by = 'everybody' OR y.by = 'trusted' AND x.level = 2)`
	markStored = `UPDATE pictures SET state = 'stored' WHERE sum = :sum AND state = 'uploading'`
	// If the picture was erased during the upload, the bucket has its bytes again. This row makes the job delete them.
	deleteErased = `INSERT INTO pictures (sum, type, width, height, bytes, small, colour, hash, user_id, created_at, state, check_at)
SELECT :sum, :type, :width, :height, :bytes, :small, '', NULL, :actor, :at, 'deleting', :at
WHERE NOT EXISTS (SELECT 1 FROM pictures WHERE sum = :sum)`
	isStored = `SELECT state = 'stored' FROM pictures WHERE sum = :sum`
)

var (
	blockedNow = blocked(":sum")
	// A picture that exists already does not count again.
	mayUpload = `EXISTS (SELECT 1 FROM ` + facts + ` x CROSS JOIN ` + set + ` y WHERE ` + trusts + `
  AND (EXISTS (SELECT 1 FROM pictures p WHERE p.sum = :sum)
  OR x.today < (:per_day ->> x.level) AND x.own + :bytes <= y.member_room AND x.site + :bytes <= y.site_room))
  AND NOT ` + blockedNow + ` AND ` + data.LiveSession
	reserve = `INSERT INTO pictures (sum, type, width, height, bytes, small, colour, hash, user_id, created_at, state, check_at)
SELECT :sum, :type, :width, :height, :bytes, :small, :colour, :hash, :actor, :at, 'uploading', :until WHERE ` + mayUpload + `
ON CONFLICT (sum) DO UPDATE SET check_at = max(coalesce(check_at, 0), excluded.check_at),
  small = iif(user_id = excluded.user_id, max(small, excluded.small), small),
  colour = iif(colour = '' AND user_id = excluded.user_id, excluded.colour, colour),
  hash = iif(user_id = excluded.user_id, coalesce(hash, excluded.hash), hash) WHERE state <> 'deleting'`
	uploadFacts = `SELECT y.by, y.member_room, y.site_room, x.level, x.today, x.own, x.site, ` + data.LiveSession + `,
  coalesce((SELECT p.state FROM pictures p WHERE p.sum = :sum), ''),
  coalesce((SELECT p.user_id = :actor FROM pictures p WHERE p.sum = :sum), 0), ` + blockedNow + `
  FROM ` + facts + ` x CROSS JOIN ` + set + ` y`
)

var (
	errNobody = &data.Error{Code: data.Forbidden, Field: "pictures",
		Message: "Pictures can't be uploaded here. A post can show a picture from another site."}
	errUntrusted = &data.Error{Code: data.Forbidden, Field: "pictures",
		Message: "Pictures can be uploaded by members who have been here for a week " +
			"and have 20 karma. Until then, a post can show a picture from another site."}
	// The same for comments.
	errNobodyComments    = &data.Error{Code: data.Forbidden, Field: "pictures", Message: "Comments here have no pictures."}
	errUntrustedComments = &data.Error{Code: data.Forbidden, Field: "pictures",
		Message: "Pictures can be added to comments by members who have been here for a week and have 20 karma."}
	errDeleting = &data.Error{Code: data.Unavailable, Field: "pictures",
		Message: "This picture is just being deleted. Please try again in a minute."}
)

// args returns the arguments of facts and trusts.
func (s *Store) args(a data.Actor) data.Args {
	now := s.Source.Now()
	return a.Args(data.Args{"known": now.Add(-reputation.KnownAge), "day": now.Add(-24 * time.Hour), "roles": a.Roles.May("")})
}

// quota is a member's row of facts.
type quota struct {
	by                   string // who may upload
	memberRoom, siteRoom int64
	level, today         int
	own, site            int64
	found                bool
	comment              bool // by is the setting for pictures in comments
}

// scan reads who may upload, the room and the level.
func (f *quota) scan(r *data.Row) {
	f.by, f.memberRoom, f.siteRoom, f.level, f.found = r.Text(), r.Int(), r.Int(), int(r.Int()), true
}

// refusal returns why a member may not upload; nil if they may.
func (f *quota) refusal() error {
	switch {
	case !f.found:
		return data.ErrSessionEnded
	case f.by != ByEverybody && f.by != ByTrusted && f.comment:
		return errNobodyComments
	case f.by != ByEverybody && f.by != ByTrusted:
		return errNobody
	case f.by == ByTrusted && f.level < 2 && f.comment:
		return errUntrustedComments
	case f.by == ByTrusted && f.level < 2:
		return errUntrusted
	}
	return nil
}

// full returns why a member may not upload so many more bytes; nil if they may.
func (f *quota) full(bytes int64) error {
	switch {
	case f.today >= PerDay[f.level]:
		return &data.Error{Code: data.RateLimited, Field: "pictures", Message: locale.With("You can upload {} pictures a day. Please try again "+
			"tomorrow.", PerDay[f.level])}
	case f.own+bytes > f.memberRoom:
		return &data.Error{Code: data.Forbidden, Field: "pictures",
			Message: locale.With("Your pictures take up all of your {} MB. Delete some of "+
				"your posts with pictures first: their room is free a day later.", f.memberRoom>>20)}
	case f.site+bytes > f.siteRoom:
		return &data.Error{Code: data.Forbidden, Field: "pictures",
			Message: "This site has no room for more pictures. Its administrators can give it more."}
	}
	return nil
}

// Reserve records a picture before its bytes are stored. Then call MarkStored. own reports whether the picture counts as the
// member's own upload. Only then are the small version, colour and hash stored, because they may not match the picture. Invalid (it is
// blocked), Forbidden (the member may not upload, or there is no room), RateLimited, Unavailable (the same picture is being deleted) and
// Unauthenticated. The trigger pictures_added counts the bytes.
func (s *Store) Reserve(ctx context.Context, a data.Actor, u Upload) (own bool, err error) {
	var hash any
	if u.Hash != nil {
		hash = *u.Hash
	}
	now := s.Source.Now()
	args := s.args(a)
	for name, value := range (data.Args{"sum": u.Sum, "type": u.Type, "width": u.Width, "height": u.Height, "bytes": u.Bytes, "small": u.Small,
		"colour": u.Colour, "hash": hash, "at": now, "until": now.Add(UsedAfter), "per_day": perDay(),
		"community": strings.ToLower(u.Community)}) {
		args[name] = value
	}
	w := s.DB.Write()
	f, state, live, isBlocked := quota{}, "", false, false
	factArgs := s.args(a)
	factArgs["sum"], factArgs["community"] = u.Sum, strings.ToLower(u.Community)
	w.Find(uploadFacts, factArgs, func(r *data.Row) { // before the row is added
		f.scan(r)
		f.today, f.own, f.site = int(r.Int()), r.Int(), r.Int()
		live, state, own, isBlocked = r.Bool(), r.Text(), r.Bool(), r.Bool()
	})
	reserved := w.Do(reserve, args)
	if err := w.Run(ctx); err != nil {
		return false, err
	}
	switch {
	case reserved.Rows > 0:
		return own || state == "", nil
	case !live:
		return false, data.ErrSessionEnded
	case f.refusal() != nil:
		return false, f.refusal()
	case isBlocked:
		return false, errBlocked
	case state == "deleting":
		return false, errDeleting
	case state == "" && f.full(u.Bytes) != nil:
		return false, f.full(u.Bytes)
	}
	return false, errDeleting // the reason for the refusal is gone already
}

// MarkStored records that the bucket has a picture. Unavailable if it was erased or the job has begun to delete it meanwhile: then the job
// deletes the bytes.
func (s *Store) MarkStored(ctx context.Context, a data.Actor, u Upload) error {
	stored := false
	w := s.DB.Write()
	w.Do(markStored, data.Args{"sum": u.Sum})
	w.Do(deleteErased, data.Args{"sum": u.Sum, "type": u.Type, "width": u.Width, "height": u.Height, "bytes": u.Bytes, "small": u.Small,
		"actor": a.UserID, "at": s.Source.Now()})
	w.Find(isStored, data.Args{"sum": u.Sum}, func(r *data.Row) { stored = r.Bool() })
	if err := w.Run(ctx); err != nil {
		return err
	}
	if !stored {
		return errDeleting
	}
	return nil
}

// Allowed says whether a member may upload pictures, for a form. Run fills it.
type Allowed struct{ facts quota }

// Err returns why the member may not upload; nil if they may.
func (a *Allowed) Err() error { return a.facts.refusal() }

// Nobody reports whether no member may upload.
func (a *Allowed) Nobody() bool { return a.facts.by == ByNobody }

const (
	levelOf      = `(SELECT ` + level + ` AS level FROM users u WHERE u.id = :actor AND u.status = 'active')`
	allowedBegin = `SELECT y.by, y.member_room, y.site_room, x.level FROM ` + levelOf + ` x CROSS JOIN `

	allowedToUpload  = allowedBegin + set + ` y`
	allowedToComment = allowedBegin + setOfComment + ` y`
)

// In adds the community's setting about pictures in comments (communities.Settings.CommentPictures).
func (a *Allowed) In(community string) {
	if a.facts.found {
		a.facts.by = Strictest(a.facts.by, community)
	}
}

// Strictest returns the strictest of some settings about who may add pictures. "" is no setting.
func Strictest(settings ...string) string {
	for _, strict := range []string{ByNobody, ByTrusted} {
		if slices.Contains(settings, strict) {
			return strict
		}
	}
	return ByEverybody
}

// FindAllowed reads along with a form whether its member may upload.
func (s *Store) FindAllowed(r *data.Read, a data.Actor) *Allowed {
	found := &Allowed{}
	r.Find(allowedToUpload, s.allowedArgs(a), found.facts.scan)
	return found
}

// FindAllowedComment reads along with the form of a comment whether its member may add pictures to it, by the site's settings. Call In
// with the community's setting.
func (s *Store) FindAllowedComment(r *data.Read, a data.Actor) *Allowed {
	found := &Allowed{quota{comment: true}}
	args := s.allowedArgs(a)
	args["community"] = ""
	r.Find(allowedToComment, args, found.facts.scan)
	return found
}

func (s *Store) allowedArgs(a data.Actor) data.Args {
	return data.Args{"actor": a.UserID, "known": s.Source.Now().Add(-reputation.KnownAge), "roles": a.Roles.May("")}
}

// perDay is PerDay as JSON, which SQL reads by the level.
func perDay() string {
	text, _ := json.Marshal(PerDay)
	return string(text)
}
