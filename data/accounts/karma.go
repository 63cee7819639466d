package accounts

import (
	"context"
	"encoding/json"

	"plaza/data"
)

const (
	// karmaStep is how many authors of each shard one step copies, and karmaSteps how many steps one run has.
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
	// :list has each author, and the author's karma on this shard that the copy contains.
	karmaCopied = `DELETE FROM karma_changed WHERE author_id IN (SELECT j.value ->> 0 FROM json_each(:list) j
  WHERE j.value ->> 1 = coalesce((SELECT k.posts + k.comments FROM author_karma k WHERE k.author_id = j.value ->> 0), 0))`
)

// CopyKarma writes the sum of an author's karma in all shards into users, if it has changed. A delta run (package votes) marks the
// author on its shard. The mark is deleted after the copy, unless the karma on the shard has changed since it was read. So CopyKarma may be
// stopped at any point, repeated, and run concurrently: a copy is written only if no other was written since its sum was read
// (karma_turn). Unavailable.
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

// copySomeKarma copies the karma of the next authors with marks, after the given one. last is the author after whom there may be more;
// 0 if there are none.
func (s *Store) copySomeKarma(ctx context.Context, after data.ID) (last data.ID, err error) {
	marks := map[data.Where]map[data.ID]int64{} // with the karma on the shard
	sums, turns := map[data.ID]int64{}, map[data.ID]int64{}
	r := s.DB.Read()
	r.FindAll(karmaChanged, data.Args{"after": after, "limit": karmaStep}, func(row *data.Row) {
		author, shard := row.ID(), row.Shard()
		if marks[shard] == nil {
			marks[shard] = map[data.ID]int64{}
		}
		marks[shard][author], sums[author] = 0, 0
		if len(marks[shard]) == karmaStep && (last == 0 || author < last) {
			last = author
		}
	})
	if err := r.Run(ctx); err != nil || len(sums) == 0 {
		return 0, err
	}
	var authors []data.ID
	for author := range sums {
		if last == 0 || author <= last { // the next call reads authors after last
			authors = append(authors, author)
		}
	}
	args := data.Args{"authors": authors}
	r = s.DB.Read()
	r.Find(karmaTurns, args, func(row *data.Row) { turns[row.ID()] = row.Int() })
	if err := r.Run(ctx); err != nil { // the turns are read before the sums
		return 0, err
	}
	r = s.DB.Read()
	r.FindAll(karmaEarned, args, func(row *data.Row) {
		author, karma := row.ID(), row.Int()
		sums[author] += karma
		if _, marked := marks[row.Shard()][author]; marked {
			marks[row.Shard()][author] = karma
		}
	})
	if err := r.Run(ctx); err != nil {
		return 0, err
	}
	copied := map[data.ID]bool{}
	var list [][3]int64
	for _, author := range authors {
		if turn, known := turns[author]; known {
			list = append(list, [3]int64{int64(author), sums[author], turn})
		} else {
			copied[author] = true // no member: only the mark is deleted
		}
	}
	w := s.DB.Write()
	w.Find(copyKarma, data.Args{"list": encodeRows(list)}, func(row *data.Row) { copied[row.ID()] = true })
	if err := w.Run(ctx); err != nil {
		return 0, err
	}
	var places []data.Where
	unmark := map[data.Where][][2]int64{}
	for shard, marked := range marks {
		for author, karma := range marked {
			if copied[author] {
				unmark[shard] = append(unmark[shard], [2]int64{int64(author), karma})
			}
		}
		if len(unmark[shard]) > 0 {
			places = append(places, shard)
		}
	}
	i := 0
	return last, s.DB.WriteEach(ctx, places, func(w *data.Write) {
		w.Do(karmaCopied, data.Args{"list": encodeRows(unmark[places[i]])})
		i++
	})
}

// encodeRows encodes a list of rows as JSON.
func encodeRows(rows any) string {
	text, err := json.Marshal(rows)
	if err != nil {
		panic(err) // encoding numbers can't fail
	}
	return string(text)
}
