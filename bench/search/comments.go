package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/wire/hrana"
)

// write writes comments until there are n. Each has a part of a random post's text.
func (f *filler) write(ctx context.Context, list []realPost, n int64) error {
	_, have, err := f.numbers(ctx)
	if err != nil {
		return err
	}
	rng := rand.New(rand.NewPCG(uint64(have), 1))
	for have < n {
		var some [][]any
		for range min(batch, n-have) {
			post := list[rng.IntN(len(list))]
			at := post.id.Time().Add(time.Duration(rng.Int64N(int64(time.Since(post.id.Time())))))
			id := data.NewID(at, post.id.Slot(), data.KindComment, rng.Uint32())
			score := int64(rng.ExpFloat64() * 8)
			some = append(some, []any{int64(id), int64(post.id), id.Text(), part(rng, list[rng.IntN(len(list))].text), score, at.UnixMilli()})
		}
		if err := f.tx(ctx, hrana.Stmt{SQL: writeComments, Named: []hrana.Named{{Name: "comments", Value: asJSON(some)}}}); err != nil {
			return err
		}
		if have += int64(len(some)); have%20_000 < batch {
			fmt.Fprintf(os.Stderr, "%d comments\n", have)
		}
	}
	return nil
}

// part returns 5 to 80 words of a text, fewer at its end.
func part(rng *rand.Rand, text string) string {
	words := strings.Fields(text)
	first := rng.IntN(len(words))
	return strings.Join(words[first:min(first+5+rng.IntN(76), len(words))], " ")
}
