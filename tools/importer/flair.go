package importer

import (
	"context"
	"database/sql"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"plaza/data"
	"plaza/data/content/flair"
	"plaza/tools/exchange"
)

const (
	// Index flairs_listed.
	findFlairs  = `SELECT f.id, f.text, f.of_members FROM flairs f WHERE f.community_id = ?`
	insertFlair = `INSERT INTO flairs (id, community_id, place, text, colour, restricted, of_members) VALUES (?, ?, ?, ?, ?, ?, ?)`
	beginFlairs = `INSERT INTO flair_sets (community_id, revision, required) VALUES (?, 1, 0) ON CONFLICT (community_id) DO NOTHING`
	// insertWorn keeps a flair that the member already has in the community. Primary keys, index flairs_listed.
	insertWorn = `INSERT INTO member_flairs (user_id, community_id, flair_id, text, colour, fixed)
SELECT r.user, r.community, r.flair, iif(r.flair IS NULL, r.text, ''), 'plain', 0 FROM (
  SELECT v ->> 0 AS user, v ->> 1 AS community, v ->> 2 AS text, (SELECT f.id FROM flairs f
    WHERE f.community_id = v ->> 1 AND f.of_members = 1 AND f.text = v ->> 2 ORDER BY f.place LIMIT 1) AS flair
  FROM ` + rowsOfJSON + `) r WHERE true ON CONFLICT DO NOTHING`
)

// wear gives authors their flairs. Each element of worn has the id of the user, the id of the community and the text.
func wear(ctx context.Context, shard *sql.DB, worn [][3]any) error {
	if len(worn) == 0 {
		return nil
	}
	list, err := json.Marshal(worn)
	if err == nil {
		_, err = shard.ExecContext(ctx, insertWorn, string(list))
	}
	return err
}

// wornOf returns the text of an author's flair as it is stored.
func wornOf(text string) string { return cut(data.Line(clean(text)), flair.MemberTextMax) }

// flair returns the id of a community's flair as the column of a post; nil for none. It creates a missing flair in a community that an
// import made. In a community that a member made, the post gets none.
func (w *writer) flair(ctx context.Context, c *community, text string) (any, error) {
	if text == "" {
		return nil, nil
	}
	id, err := w.defineFlair(ctx, c, exchange.Flair{Text: text})
	if id == 0 {
		return nil, err
	}
	return int64(id), nil
}

// defineFlair returns the id of a community's flair of posts with this text. It makes the flair if the import may; otherwise it returns 0.
func (w *writer) defineFlair(ctx context.Context, c *community, f exchange.Flair) (data.ID, error) {
	return w.defineFlairOf(ctx, c, f, false)
}

func flairKey(text string, members bool) string {
	if members {
		return "\n" + strings.ToLower(text)
	}
	return strings.ToLower(text)
}

// defineFlairOf is defineFlair for flairs of posts or of members.
func (w *writer) defineFlairOf(ctx context.Context, c *community, f exchange.Flair, members bool) (data.ID, error) {
	shard := w.shards[w.shardOf(c.id)]
	if c.flairs == nil {
		c.flairs = map[string]data.ID{}
		rows, err := shard.QueryContext(ctx, findFlairs, int64(c.id))
		if err != nil {
			return 0, err
		}
		defer rows.Close()
		for rows.Next() {
			var id int64
			var text string
			var ofMembers bool
			if err := rows.Scan(&id, &text, &ofMembers); err != nil {
				return 0, err
			}
			c.flairs[flairKey(text, ofMembers)] = data.ID(id)
		}
		if err := rows.Err(); err != nil {
			return 0, err
		}
	}
	text := data.Line(clean(f.Text))
	key, most := flairKey(text, members), 0
	for k := range c.flairs {
		most += bit(strings.HasPrefix(k, "\n") == members)
	}
	if id := c.flairs[key]; id != 0 || !c.ours || most >= flair.Max || utf8.RuneCountInString(text) > flair.TextMax || text == "" {
		return id, nil
	}
	colour := f.Colour
	if !slices.Contains(flair.Colours, colour) {
		colour = flair.Colours[0]
	}
	var id data.ID
	for salt := uint32(0); ; salt++ {
		id = data.NewID(w.now, c.id.Slot(), data.KindOther, hash(c.name+" "+key)+salt)
		err := insertFlairOf(ctx, shard, id, c, len(c.flairs)+1, text, colour, f.Restricted, members)
		if err == nil {
			break
		}
		if !isConflict(err) || salt == conflictTries {
			return 0, err
		}
	}
	c.flairs[key] = id
	return id, nil
}

func insertFlairOf(ctx context.Context, shard *sql.DB, id data.ID, c *community, place int, text, colour string, restricted,
	members bool) error {
	if _, err := shard.ExecContext(ctx, insertFlair, int64(id), int64(c.id), place, text, colour, bit(restricted), bit(members)); err != nil {
		return err
	}
	_, err := shard.ExecContext(ctx, beginFlairs, int64(c.id))
	return err
}
