package ranking

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

// votesOf is a listing's post.
type votesOf struct {
	ups, downs int64
	mine       int
}

// shownOf is a listing as a viewer sees it: exact where said.
func shownOf(f Fuzzer, posts []votesOf, exact func(i int) bool) (list []*Shown) {
	for i, p := range posts {
		s := &Shown{Score: p.ups - p.downs, Shown: p.ups - p.downs, Exact: exact(i)}
		if !s.Exact {
			u, d := f.Votes(p.ups, p.downs, p.mine)
			s.Shown = u - d
		}
		list = append(list, s)
	}
	Apart(slices.Clone(list))
	return list
}

func TestApartLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := testFuzzer(t)
		from := rapid.OneOf(rapid.Just(int64(0)), counts()).Draw(t, "from")
		posts := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) votesOf {
			v := votesOf{ups: from + rapid.Int64Range(0, 60).Draw(t, "ups"), downs: rapid.Int64Range(0, 30).Draw(t, "downs")}
			if rapid.Bool().Draw(t, "turned") {
				v.ups, v.downs = v.downs, v.ups
			}
			switch v.mine = rapid.IntRange(-1, 1).Draw(t, "mine"); v.mine {
			case 1:
				v.ups++
			case -1:
				v.downs++
			}
			return v
		}), 0, 100).Draw(t, "posts")
		moderated := rapid.SliceOfN(rapid.Bool(), len(posts), len(posts)).Draw(t, "moderated")
		some := rapid.Bool().Draw(t, "some moderated")
		list := shownOf(f, posts, func(i int) bool { return some && moderated[i] })
		for _, a := range list {
			if a.Exact {
				assert.Equal(t, a.Score, a.Shown)
			}
			size := math.Abs(float64(a.Score))
			if size < FuzzExactBelow && !some {
				assert.InDelta(t, a.Score, a.Shown, 1, "exact, or the next one for a vote of one's own")
			}
			assert.InDelta(t, a.Score, a.Shown, FuzzMost*size+3)
			for _, b := range list {
				if a.Score > b.Score {
					assert.Greater(t, a.Shown, b.Shown, "%+v before %+v", a, b)
				}
			}
		}
	})
}

// TestThousandViewers prints what a thousand viewers see (go test ./ranking -run
// TestThousandViewers -v) and holds it to the rules.
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
		var off, ties, before, moved []float64
		for i := range viewers {
			f := viewer(i)
			list := shownOf(f, posts, func(int) bool { return false })
			same, tied, lifts := 0, 0, 0
			for j, s := range list {
				off = append(off, 100*float64(s.Shown-s.Score)/float64(s.Score))
				lifts += int(s.Shown - f.Show(s.Score))
				if j > 0 {
					if list[j-1].Shown < s.Shown {
						t.Fatalf("%+v before %+v", *list[j-1], *s)
					}
					if list[j-1].Shown == s.Shown {
						same++
					}
					if f.Show(list[j-1].Score) == f.Show(s.Score) {
						tied++
					}
				}
			}
			ties, before, moved = append(ties, float64(same)), append(before, float64(tied)), append(moved, float64(lifts)/float64(len(list)))
		}
		o, tie, alone, lift := sample(off), sample(ties), sample(before), sample(moved)
		t.Logf("off in %%: %s\nneighbours shown as the same of 302: %s; each score by itself: %s\nmoved apart by: %s", o, tie, alone, lift)
		assert.InDelta(t, 0, o.mean, 0.2)
		assert.Zero(t, tie.most)
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
