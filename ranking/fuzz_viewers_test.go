package ranking

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
)

// votesOf is a listing's post.
type votesOf struct {
	ups, downs int64
	mine       int
}

// TestThousandViewers prints the counts that a thousand viewers see (go test ./ranking -run TestThousandViewers -v) and checks the rules.
func TestThousandViewers(t *testing.T) {
	const viewers = 1000
	viewer := func(i int) Fuzzer { return NewFuzzer(testSecret, "viewer "+strconv.Itoa(i), 7) }
	t.Run("of single posts", func(t *testing.T) {
		for _, p := range []votesOf{{5001, 500, 0}, {5001, 500, 1}, {7, 2, 0}, {60, 20, 0}, {12, 9, 0}} {
			var scores, ratios []float64
			for i := range viewers {
				f := viewer(i)
				u, d := f.Votes(p.ups, p.downs, p.mine)
				scores, ratios = append(scores, float64(u-d)), append(ratios, 100*float64(u)/float64(u+d))
			}
			score, ratio := sample(scores), sample(ratios)
			t.Logf("%d:%d (mine %d), score %d, %.2f%% up: shown %s; up %s", p.ups, p.downs, p.mine, p.ups-p.downs,
				100*float64(p.ups)/float64(p.ups+p.downs), score, ratio)
			assert.InDelta(t, p.ups-p.downs, score.mean, 4*score.spread/math.Sqrt(viewers)+1e-9)
			assert.InDelta(t, 100*float64(p.ups)/float64(p.ups+p.downs), ratio.mean, 0.3)
			assert.Less(t, ratio.most-ratio.least, 4.0)
			if p.ups+p.downs < FuzzExactBelow {
				assert.Equal(t, score.least, score.most)
			}
		}
	})
	t.Run("of a listing of every score from 4,465 to 4,767", func(t *testing.T) {
		var posts []votesOf
		for score := int64(4767); score >= 4465; score-- {
			posts = append(posts, votesOf{score + 100, 100, 0})
		}
		var off, ties []float64
		for i := range viewers {
			f := viewer(i)
			same := 0
			for j, p := range posts {
				u, d := f.Votes(p.ups, p.downs, 0)
				shown, score := u-d, p.ups-p.downs
				off = append(off, 100*float64(shown-score)/float64(score))
				if j == 0 {
					continue
				}
				switch before := f.Show(posts[j-1].ups - posts[j-1].downs); {
				case before < shown:
					t.Fatalf("%d is shown as %d, and the one before as %d", score, shown, before)
				case before == shown:
					same++
				}
			}
			ties = append(ties, float64(same))
		}
		o, tie := sample(off), sample(ties)
		t.Logf("off in %%: %s\nneighbours shown as the same of 302: %s", o, tie)
		assert.InDelta(t, 0, o.mean, 0.2)
		assert.Less(t, tie.mean, 0.015*302)
	})
}

type figures struct{ mean, spread, least, most float64 }

func (f figures) String() string {
	return fmt.Sprintf("mean %.2f, spread %.2f, %.2f to %.2f", f.mean, f.spread, f.least, f.most)
}

func sample(values []float64) figures {
	f := figures{least: slices.Min(values), most: slices.Max(values)}
	squares := 0.0
	for _, v := range values {
		f.mean += v / float64(len(values))
	}
	for _, v := range values {
		squares += (v - f.mean) * (v - f.mean) / float64(len(values))
	}
	f.spread = math.Sqrt(squares)
	return f
}
