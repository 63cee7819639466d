// Package samplethread makes threads of realistic shape and any size: for demo content, for tests and for measurements. It is native Go and
// part of no page.
//
// A thread has one comment to which a fifth of all others reply directly, chains down to the depth limit, and a tree that grows by
// preferential attachment around them. Their scores have no votes behind them and are the comments' base_ups and base_downs.
//
// plaza seed --thread 100000 makes one to try.
package samplethread

import (
	"math"
	"math/rand/v2"

	"plaza/data/content/comments"
)

// shape is a tree of comments: the indexes of their parents, in the order of time. -1 is the post.
type shape struct {
	parents []int
	depths  []int
}

// Shares of a thread. In large threads a quarter to a third of the comments reply to the post. A comment with very many direct replies,
// and a few chains down to the depth limit, are the cases that break sites built for the average.
const (
	hubShare   = 5      // one in so many replies to the hub directly
	chainEvery = 10_000 // one chain of data.DepthMax comments for so many comments
	rootShare  = 0.28   // of all others
)

// grow makes the tree of n comments: a hub with n/5 direct replies, chains down to the depth limit, and around them a tree that grows by
// preferential attachment. A reply goes to a comment with many replies, to a new one, or to any, which results in the long tails of
// breadth and depth of real threads.
//
// Source of the model: V. Gómez, H. J. Kappen, N. Litvak, A. Kaltenbrunner, "A likelihood-based framework for the analysis of discussion
// threads", World Wide Web 16 (2013): popularity, novelty and a bias towards the root.
func grow(rng *rand.Rand, n int) shape {
	s := shape{}
	hubReplies, hub := n/hubShare, -1
	chains := make([]int, max(1, n/chainEvery)) // the last comment of each
	for i := range chains {
		chains[i] = -1
	}
	inChains := min(len(chains)*comments.DepthMax, n/20)
	for i := range n {
		remaining := n - i
		switch r := rng.IntN(remaining); {
		case hub >= 0 && r < hubReplies:
			hubReplies--
			s.add(hub)
		case hub >= 0 && r < hubReplies+inChains:
			inChains--
			chain := inChains % len(chains)
			s.add(chains[chain])
			chains[chain] = i
		case rng.Float64() < rootShare || i == 0:
			s.add(-1)
			if hub < 0 && i >= min(n/100, 20) { // early, and not the first
				hub = i
			}
		default:
			s.add(s.attach(rng))
		}
	}
	return s
}

func (s *shape) add(parent int) {
	depth := 0
	if parent >= 0 {
		depth = s.depths[parent] + 1
	}
	s.parents, s.depths = append(s.parents, parent), append(s.depths, depth)
}

// attach chooses the parent. To choose the parent of a random comment is to choose by the number of replies.
func (s *shape) attach(rng *rand.Rand) int {
	for {
		parent := rng.IntN(len(s.parents))
		switch kind := rng.IntN(10); {
		case kind < 2:
			parent = s.parents[parent]
		case kind < 4:
			parent = max(len(s.parents)-1-int(rng.ExpFloat64()*30), 0)
		}
		if parent >= 0 && s.depths[parent] < comments.DepthMax-1 {
			return parent
		}
	}
}

// votes returns votes up and down: a long tail, with most votes for early comments. Most are liked, some divide, a few are disliked.
func votes(rng *rand.Rand, age float64) (ups, downs int64) {
	n := math.Min(6*(math.Pow(1-rng.Float64(), -0.9)-1)*(0.2+1.8*age*age), 20_000)
	liked := 1 - 0.2*rng.Float64()*rng.Float64()
	switch kind := rng.IntN(100); {
	case kind < 12:
		liked = 0.35 + 0.3*rng.Float64()
	case kind < 17:
		liked = 0.3 * rng.Float64()
	}
	ups = int64(n*liked + rng.Float64())
	downs = int64(n*(1-liked) + rng.Float64())
	return ups + 1, downs // and the author's own
}
