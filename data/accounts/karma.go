package accounts

import (
	"context"
	"encoding/json"

	"plaza/data"
)

const (
	// karmaStep is how many authors of each shard are copied together, and karmaSteps how often one run does so.
	karmaStep  = 1000
	karmaSteps = 5
)

const (
	karmaChanged = `SELECT m.author_id FROM karma_changed m WHERE m.author_id > :after ORDER BY m.author_id LIMIT :limit`
	karmaTurns   = `SELECT u.id, u.karma_turn FROM json_each(:authors) j CROSS JOIN users u ON u.id = j.value`
	karmaEarned  = `SELECT k.author_id, k.posts + k.comments FROM json_each(:authors) j CROSS JOIN author_karma k ON k.author_id = j.value`
	// :list has the id, the karma and the turn of each author.
	copyKarma = `UPDATE users SET karma = j.value ->> 1, karma_turn = users.karma_turn + 1 FROM json_each(:list) j
WHERE users.id = j.value ->> 0 AND users.karma_turn = j.value ->> 2 AND users.id IN (SELECT value ->> 0 FROM json_each(:list)) RETURNING id`
	// :list has the author of each row, and the author's karma on this shard that is in the copy.
	karmaCopied = `DELETE FROM karma_changed WHERE author_id IN (SELECT j.value ->> 0 FROM json_each(:list) j
  WHERE j.value ->> 1 = coalesce((SELECT k.posts + k.comments FROM author_karma k WHERE k.author_id = j.value ->> 0), 0))`
)

// CopyKarma writes into users what authors have earned in all shards together, where that has changed. A fold (package votes) leaves a mark
// on its shard. The mark goes when the copy is written, if the karma on the shard still is what was copied. So it may be ended at any
// point, repeated, and run twice at once: a copy is written only if nobody else has written one since its sum was read (karma_turn).
// Unavailable.
func (s *Store) CopyKarma(ctx context.Context) error {
	after := data.ID(0)
	for range karmaSteps {
		last, err := s.copySomeKarma(ctx, after)
		if err != nil || last == 0 {
			return err
		}
		after = last
	}
	return nil
}

// copySomeKarma copies the karma of the first authors with marks behind the one that is given. last is the author behind whom there may be
// more; 0 if there are none.
func (s *Store) copySomeKarma(ctx context.Context, after data.ID) (last data.ID, err error) {
	marks := map[data.Where]map[data.ID]int64{} // with the karma on the shard
	sums, turns := map[data.ID]int64{}, map[data.ID]int64{}
	r := s.DB.Read()
	for _, shard := range s.DB.Shards() {
		of, n := map[data.ID]int64{}, 0
		marks[shard] = of
		r.FindAt(shard, karmaChanged, data.Args{"after": after, "limit": karmaStep}, func(row *data.Row) {
			author := row.ID()
			of[author], sums[author] = 0, 0
			if n++; n == karmaStep && (last == 0 || author < last) {
				last = author
			}
		})
	}
	if err := r.Run(ctx); err != nil || len(sums) == 0 {
		return 0, err
	}
	var authors []data.ID
	for author := range sums {
		if last == 0 || author <= last { // what is behind comes with the next
			authors = append(authors, author)
		}
	}
	asked := data.Args{"authors": authors}
	r = s.DB.Read()
	r.Find(karmaTurns, asked, func(row *data.Row) { turns[row.ID()] = row.Int() })
	if err := r.Run(ctx); err != nil { // turns first, then the sums
		return 0, err
	}
	r = s.DB.Read()
	for _, shard := range s.DB.Shards() {
		r.FindAt(shard, karmaEarned, asked, func(row *data.Row) {
			author, karma := row.ID(), row.Int()
			sums[author] += karma
			if _, marked := marks[shard][author]; marked {
				marks[shard][author] = karma
			}
		})
	}
	if err := r.Run(ctx); err != nil {
		return 0, err
	}
	copied := map[data.ID]bool{}
	var list [][3]int64
	for _, author := range authors {
		if turn, known := turns[author]; known {
			list = append(list, [3]int64{int64(author), sums[author], turn})
		} else {
			copied[author] = true // there is no such member
		}
	}
	w := s.DB.Write()
	w.Find(copyKarma, data.Args{"list": listOf(list)}, func(row *data.Row) { copied[row.ID()] = true })
	if err := w.Run(ctx); err != nil {
		return 0, err
	}
	var places []data.Where
	gone := map[data.Where][][2]int64{}
	for shard, of := range marks {
		for author, karma := range of {
			if copied[author] {
				gone[shard] = append(gone[shard], [2]int64{int64(author), karma})
			}
		}
		if len(gone[shard]) > 0 {
			places = append(places, shard)
		}
	}
	at := 0
	return last, s.DB.WriteEach(ctx, places, func(w *data.Write) {
		w.Do(karmaCopied, data.Args{"list": listOf(gone[places[at]])})
		at++
	})
}

// listOf is a list of rows as JSON.
func listOf(rows any) string {
	text, err := json.Marshal(rows)
	if err != nil {
		panic(err) // numbers
	}
	return string(text)
}
