package importer

import (
	"context"
	"database/sql"
	"slices"
	"strings"
	"unicode/utf8"

	"plaza/data"
	"plaza/data/content/flair"
	"plaza/tools/exchange"
)

const (
	// Index flairs_listed.
	findFlairs  = `SELECT f.id, f.text FROM flairs f WHERE f.community_id = ?`
	insertFlair = `INSERT INTO flairs (id, community_id, place, text, colour, restricted) VALUES (?, ?, ?, ?, ?, ?)`
	beginFlairs = `INSERT INTO flair_sets (community_id, revision, required) VALUES (?, 1, 0) ON CONFLICT (community_id) DO NOTHING`
)

// flair returns the id of a community's flair, as a column of a post. One that is not there is defined where nobody founded the
// community; elsewhere the post has none.
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

// defineFlair returns a community's flair of this text, which it makes if it may; 0 if not.
func (w *writer) defineFlair(ctx context.Context, c *community, f exchange.Flair) (data.ID, error) {
	shard := w.shards[c.id.Shard()]
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
			if err := rows.Scan(&id, &text); err != nil {
				return 0, err
			}
			c.flairs[strings.ToLower(text)] = data.ID(id)
		}
		if err := rows.Err(); err != nil {
			return 0, err
		}
	}
	text := data.Line(clean(f.Text))
	key := strings.ToLower(text)
	if id := c.flairs[key]; id != 0 || !c.ours || len(c.flairs) >= flair.Max || utf8.RuneCountInString(text) > flair.TextMax || text == "" {
		return id, nil
	}
	colour := f.Colour
	if !slices.Contains(flair.Colours, colour) {
		colour = flair.Colours[0]
	}
	var id data.ID
	for salt := uint32(0); ; salt++ {
		id = data.NewID(w.now, c.id.Shard(), data.KindOther, hash(c.name+" "+key)+salt)
		err := insertFlairOf(ctx, shard, id, c, len(c.flairs)+1, text, colour, f.Restricted)
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

func insertFlairOf(ctx context.Context, shard *sql.DB, id data.ID, c *community, place int, text, colour string, restricted bool) error {
	if _, err := shard.ExecContext(ctx, insertFlair, int64(id), int64(c.id), place, text, colour, bit(restricted)); err != nil {
		return err
	}
	_, err := shard.ExecContext(ctx, beginFlairs, int64(c.id))
	return err
}
