// Package samplethread creates threads of realistic shape and any size, for demo content, tests and measurements. It is native code, and no
// part of the site.
//
// A thread has one comment to which a fifth of all others reply directly, chains down to the depth limit, and a tree that grows by
// preferential attachment around them. Their scores have no votes behind them and are the comments' base_ups and base_downs.
//
// plaza seed --thread 100000 creates one.
package samplethread

import (
	"math"
	"math/rand/v2"
	"time"
	"unicode/utf8"

	"plaza/data"
	"plaza/data/content/comments"
	"plaza/ranking"
)

// Author writes posts and comments.
type Author struct {
	ID   data.ID
	Name string
}

// Options describe a thread. The same options make the same thread.
type Options struct {
	Comments  int
	Seed      uint64
	Community data.ID // the thread is on its shard
	Name      string  // the community's
	Authors   []Author
	Slug      string
	Title     string
	Now       time.Time // the thread is up to three days old then, and its comments span two days
	// Text writes a comment, as Markdown and as HTML.
	Text func(rng *rand.Rand, reply bool) (text, html string)
}

// Thread is a post and its comments, each after its parent.
type Thread struct {
	Options
	Post     data.ID
	Author   Author
	Created  time.Time
	Comments []Comment
}

// Comment is a row of comments, with the counters that the site would compute.
type Comment struct {
	ID, Parent           data.ID
	Path                 string
	Depth                int
	Author               Author
	OP                   bool
	Text, HTML, Status   string
	Ups, Downs           int64
	QA                   float64
	Replies, Descendants int64
	Created              time.Time
}

const (
	lasted = 48 * time.Hour
	// The post's author writes one in opReplies of the replies at depth 1, and one in opElsewhere of deeper ones.
	opReplies   = 12
	opElsewhere = 60
)

// Make makes a thread in memory.
func Make(o Options) *Thread {
	rng := rand.New(rand.NewPCG(o.Seed, uint64(o.Comments)))
	began := time.Duration(rng.Int64N(int64(24 * time.Hour))) // so that two threads have different ids
	t := &Thread{Options: o, Author: o.Authors[0], Created: o.Now.Add(-lasted - began).Truncate(time.Millisecond)}
	slot := o.Community.Slot()
	t.Post = data.NewID(t.Created, slot, data.KindPost, rng.Uint32())
	tree := grow(rng, o.Comments)
	t.Comments = make([]Comment, o.Comments)
	answers := map[int][]ranking.Answer{}
	created := t.Created
	for i := range t.Comments {
		c, parent := &t.Comments[i], tree.parents[i]
		age := 1 - float64(i)/float64(o.Comments)
		// Many comments at first, fewer later, and none before its parent.
		at := t.Created.Add(time.Duration(float64(lasted) * math.Pow(1-age, 1.7))).Truncate(time.Millisecond)
		if created = created.Add(time.Millisecond); at.After(created) {
			created = at
		}
		c.ID = data.NewID(created, slot, data.KindComment, rng.Uint32()) // each has another millisecond
		c.Created, c.Depth, c.Path = created, tree.depths[i], c.ID.Text()
		c.Author = o.Authors[rng.IntN(len(o.Authors))]
		if byOP := opElsewhere; parent >= 0 && t.Comments[parent].Author != t.Author {
			if c.Depth == 1 {
				byOP = opReplies
			}
			if rng.IntN(byOP) == 0 {
				c.Author = t.Author
			}
		}
		c.OP = c.Author == t.Author
		c.Text, c.HTML = o.Text(rng, parent >= 0)
		c.Status = "published"
		switch rng.IntN(100) {
		case 0, 1, 2:
			c.Status, c.Text, c.HTML = "deleted", "", ""
		case 3:
			c.Status = "removed"
		}
		c.Ups, c.Downs = votes(rng, age)
		if parent < 0 {
			continue
		}
		p := &t.Comments[parent]
		c.Parent, c.Path = p.ID, p.Path+c.Path
		p.Replies++
		for up := parent; up >= 0; up = tree.parents[up] {
			t.Comments[up].Descendants++
		}
		if c.OP && c.Status == "published" {
			answers[parent] = append(answers[parent], ranking.Answer{Ups: c.Ups, Downs: c.Downs, Length: utf8.RuneCountInString(c.Text)})
		}
	}
	for i := range t.Comments {
		c := &t.Comments[i]
		c.QA = ranking.QARank(c.Ups, c.Downs, utf8.RuneCountInString(c.Text), answers[i]...)
	}
	return t
}

// shape is a tree of comments: the index of each comment's parent, in the order of time. -1 is the post.
type shape struct {
	parents []int
	depths  []int
}

// Shares of a thread. In large threads, a quarter to a third of the comments reply to the post. A comment with very many replies, and a few
// chains down to the depth limit, are what breaks sites that were built for average threads.
const (
	hubShare   = 5      // one comment in five replies to the hub
	chainEvery = 10_000 // comments for each chain of comments.DepthMax
	rootShare  = 0.28   // of all others reply to the post
)

// grow creates the tree of n comments: a hub with n/5 direct replies, chains down to the depth limit, and around them a tree that grows by
// preferential attachment. The parent of a reply has many replies already, is new, or is random, which gives the long tails of breadth and
// depth of real threads.
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
		switch r := rng.IntN(n - i); {
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
			if hub < 0 && i >= min(n/100, 20) { // an early one, but not the first
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

// attach chooses a parent. The parent of a random comment is chosen in proportion to its number of replies.
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

// votes returns votes up and down. Few comments, mostly early ones, get many. Most are liked, some are controversial, a few disliked.
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
