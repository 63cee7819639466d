package search

import (
	"context"
	"slices"
	"strings"

	"plaza/data"
)

// CommonFrom is the minimum number of posts or comments that have a common word.
const CommonFrom = 1000

// commonPages is the minimum number of pages of a common word's list, in one part of the index.
const commonPages = 2

const (
	// places selects, in hexadecimal, the words at the start of pages of the index, and the pages' numbers. Primary key of the index.
	places = `SELECT i.segid, hex(i.term), i.pgno / 2 FROM {table}_idx i WHERE (i.segid, i.term) > (:part, unhex(:word))
  ORDER BY i.segid, i.term LIMIT :limit`
	// lengths selects the common words in :stretches, which are ranges of words. FTS5 reads the lists of all words in them.
	lengths = `SELECT w.term, w.doc FROM json_each(:stretches) j CROSS JOIN {table}_terms w
WHERE w.term >= CAST(unhex(j.value ->> 0) AS TEXT) AND w.term < CAST(unhex(j.value ->> 1) AS TEXT) AND w.doc >= :from`
	// anyCommon selects whether common words were ever counted.
	anyCommon = `SELECT EXISTS (SELECT 1 FROM search_common WHERE about >= '')`
	// keepCommon and dropCommon replace the list by :words. A number that has changed by a tenth or less is not written.
	keepCommon = `INSERT INTO search_common (about, word, found) SELECT :about, j.value ->> 0, j.value ->> 1 FROM json_each(:words) j
  WHERE true
ON CONFLICT (about, word) DO UPDATE SET found = excluded.found WHERE abs(excluded.found - found) > found / 10`
	dropCommon = `DELETE FROM search_common WHERE about = :about AND word NOT IN (SELECT j.value ->> 0 FROM json_each(:words) j)`
)

// placesAtOnce is how many places one statement reads.
const placesAtOnce = 4000

// stretchesAtOnce is how many stretches one statement reads, which takes some milliseconds for each.
const stretchesAtOnce = 10

// CountCommon counts how many posts and comments have each common word, on all shards. Searches use these numbers. With first it skips
// shards that have such numbers.
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
		for _, ix := range []*index{&ofPosts, &ofComments} {
			if err := s.countCommon(ctx, place, ix); err != nil {
				return err
			}
		}
		return nil
	})
}

func (s *Store) countCommon(ctx context.Context, place data.Where, ix *index) error {
	parts, err := s.stretches(ctx, place, ix)
	if err != nil {
		return err
	}
	words := [][2]any{}
	for chunk := range slices.Chunk(parts, stretchesAtOnce) {
		r := s.DB.Read()
		r.FindAt(place, ix.fill(lengths), data.Args{"stretches": asJSON(chunk), "from": CommonFrom},
			func(row *data.Row) { words = append(words, [2]any{row.Text(), row.Int()}) })
		if err := r.Run(ctx); err != nil {
			return err
		}
	}
	w := s.DB.WriteAt(place)
	args := data.Args{"about": ix.table, "words": asJSON(words)}
	w.Do(dropCommon, args)
	w.Do(keepCommon, args)
	return w.Run(ctx)
}

// stretches returns ranges of words, in hexadecimal. Both ends of a range begin a page, and between them is a list of many pages.
func (s *Store) stretches(ctx context.Context, place data.Where, ix *index) (list [][2]string, err error) {
	var part, page int64
	word := ""
	for more := true; more; {
		more = false
		r := s.DB.Read()
		r.FindAt(place, ix.fill(places), data.Args{"part": part, "word": word, "limit": placesAtOnce}, func(row *data.Row) {
			nextPart, nextWord, nextPage := row.Int(), strings.Clone(row.Text()), row.Int()
			from, whole := strings.CutPrefix(word, wordsOfIndex)
			if nextPart == part && (whole || word == "") && nextPage-page >= commonPages {
				list = append(list, [2]string{from, strings.TrimPrefix(nextWord, wordsOfIndex)})
			}
			part, word, page = nextPart, nextWord, nextPage
			more = row.Count() == placesAtOnce
		})
		if err := r.Run(ctx); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// wordsOfIndex is the prefix, in hexadecimal, of the index's entries for whole words; the first entry of a part is empty. Entries for
// prefixes of words follow.
const wordsOfIndex = "30"

func (ix *index) fill(sql string) string { return strings.ReplaceAll(sql, "{table}", ix.table) }
