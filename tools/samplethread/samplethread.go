package samplethread

import (
	"math"
	"math/rand/v2"
	"time"
	"unicode/utf8"

	"plaza/data"
	"plaza/ranking"
)

// Author writes posts and comments.
type Author struct {
	ID   data.ID
	Name string
}

// Options say what to make. The same options make the same thread.
type Options struct {
	Comments  int
	Seed      uint64
	Community data.ID // the thread is on its shard
	Name      string  // the community's
	Authors   []Author
	Slug      string
	Title     string
	Now       time.Time // the end of the thread, which took two days
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
	// The post's author writes one in opReplies of the replies of depth 1, and one in opElsewhere of the others.
	opReplies   = 12
	opElsewhere = 60
)

// Make makes a thread in memory.
func Make(o Options) *Thread {
	rng := rand.New(rand.NewPCG(o.Seed, uint64(o.Comments)))
	began := time.Duration(rng.Int64N(int64(24 * time.Hour))) // two threads have different ids
	t := &Thread{Options: o, Author: o.Authors[0], Created: o.Now.Add(-lasted - began).Truncate(time.Millisecond)}
	slot := o.Community.Slot()
	t.Post = data.NewID(t.Created, slot, data.KindPost, rng.Uint32())
	tree := grow(rng, o.Comments)
	t.Comments = make([]Comment, o.Comments)
	answers := map[int][]ranking.Answer{}
	used := make(map[data.ID]bool, o.Comments)
	created := t.Created
	for i := range t.Comments {
		c, parent := &t.Comments[i], tree.parents[i]
		age := 1 - float64(i)/float64(o.Comments)
		// Many at first, fewer later; never before the parent.
		at := t.Created.Add(time.Duration(float64(lasted) * math.Pow(1-age, 1.7))).Truncate(time.Millisecond)
		if created = created.Add(time.Millisecond); at.After(created) {
			created = at
		}
		for c.ID == 0 || used[c.ID] {
			c.ID = data.NewID(created, slot, data.KindComment, rng.Uint32())
		}
		used[c.ID] = true
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
