package search

import (
	"context"
	"slices"
	"strings"

	"plaza/data"
)

// CommonFrom is how many posts or comments have a word from which on it is common.
const CommonFrom = 1000

// commonPages is the minimum number of pages of a word's list, in one part of the index, for the word to be common.
const commonPages = 2

const (
	// places selects, in hexadecimal, the words at the start of pages of the index, and the pages' numbers. Primary key of the index.
	places = `SELECT i.segid, hex(i.term), i.pgno / 2 FROM {table}_idx i WHERE (i.segid, i.term) > (:part, unhex(:word))
  ORDER BY i.segid, i.term LIMIT :limit`
	// lengths selects the common words in :stretches. FTS5 reads the lists of all words between.
	lengths = `SELECT w.term, w.doc FROM json_each(:stretches) j CROSS JOIN {table}_terms w
WHERE w.term >= CAST(unhex(j.value ->> 0) AS TEXT) AND w.term < CAST(unhex(j.value ->> 1) AS TEXT) AND w.doc >= :from`
	// anyCommon selects whether the words were ever counted.
	anyCommon = `SELECT EXISTS (SELECT 1 FROM search_common WHERE about >= '')`
	// keepCommon and dropCommon replace the list by :words. A length that has hardly changed is not written.
	keepCommon = `INSERT INTO search_common (about, word, found) SELECT :about, j.value ->> 0, j.value ->> 1 FROM json_each(:words) j
  WHERE true
ON CONFLICT (about, word) DO UPDATE SET found = excluded.found WHERE abs(excluded.found - found) > found / 10`
	dropCommon = `DELETE FROM search_common WHERE about = :about AND word NOT IN (SELECT j.value ->> 0 FROM json_each(:words) j)`
)

// placesAtOnce is how many places one statement reads.
const placesAtOnce = 4000

// stretchesAtOnce is how many stretches one statement reads, which takes some milliseconds for each.
const stretchesAtOnce = 10

// CountCommon counts how many posts and comments have each common word, on all shards. Searches use these numbers. With first it counts
// only on shards where it never has.
func (s *Store) CountCommon(ctx context.Context, first bool) error {
	return s.DB.OnAll(func(place data.Where) error {
		if first {
			var counted bool
			r := s.DB.Read()
			r.FindAt(place, anyCommon, nil, func(row *data.Row) { counted = row.Bool() })
			if err := r.Run(ctx); err != nil || counted {
				return err
			}
		}
		for _, of := range []*index{&ofPosts, &ofComments} {
			if err := s.countCommon(ctx, place, of); err != nil {
				return err
			}
		}
		return nil
	})
}

func (s *Store) countCommon(ctx context.Context, place data.Where, of *index) error {
	parts, err := s.stretches(ctx, place, of)
	if err != nil {
		return err
	}
	words := [][2]any{}
	for some := range slices.Chunk(parts, stretchesAtOnce) {
		r := s.DB.Read()
		r.FindAt(place, of.fill(lengths), data.Args{"stretches": asJSON(some), "from": CommonFrom},
			func(row *data.Row) { words = append(words, [2]any{row.Text(), row.Int()}) })
		if err := r.Run(ctx); err != nil {
			return err
		}
	}
	w := s.DB.WriteAt(place)
	args := data.Args{"about": of.table, "words": asJSON(words)}
	w.Do(dropCommon, args)
	w.Do(keepCommon, args)
	return w.Run(ctx)
}

// stretches returns the words, in hexadecimal, between which the index has a list of many pages: the list of the last word that begins on
// a page.
func (s *Store) stretches(ctx context.Context, place data.Where, of *index) (list [][2]string, err error) {
	var part, page int64
	word := ""
	for more := true; more; {
		more = false
		r := s.DB.Read()
		r.FindAt(place, of.fill(places), data.Args{"part": part, "word": word, "limit": placesAtOnce}, func(row *data.Row) {
			next, begins, at := row.Int(), strings.Clone(row.Text()), row.Int()
			from, words := strings.CutPrefix(word, wordsOfIndex)
			if next == part && (words || word == "") && at-page >= commonPages {
				list = append(list, [2]string{from, strings.TrimPrefix(begins, wordsOfIndex)})
			}
			part, word, page = next, begins, at
			more = row.Count() == placesAtOnce
		})
		if err := r.Run(ctx); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// wordsOfIndex is the prefix of entries of the index for whole words, in hexadecimal; the first of a part is empty. The lists for
// beginnings of words come behind them.
const wordsOfIndex = "30"

func (of *index) fill(sql string) string { return strings.ReplaceAll(sql, "{table}", of.table) }
