package main

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/accounts/credentials"
	"plaza/data/content/posts"
	"plaza/ops/exchange"
	"plaza/ranking"
	"plaza/render/markdown"
)

// seeder creates demo content in memory, and writes it.
type seeder struct {
	o    seedOptions
	rng  *rand.Rand
	used map[data.ID]bool

	members  []member
	targets  []target // the posts that get comments
	posts    []ownPost
	comments []ownComment
	votes    []vote
	subs     [][2]data.ID // user, community
}

type member struct {
	id                      data.ID
	name, key, bio, bioHTML string
	hash                    string
	since                   time.Time
}

type target struct {
	id, communityID data.ID
	community       string
	created         time.Time
	name            string // demoThread.post
}

type ownPost struct {
	target
	author            member
	slug, kind, title string
	link, text, html  string
}

type ownComment struct {
	id, post, parent data.ID
	path             string
	depth            int
	author           member
	body, html       string
	created          time.Time
	community        string
	liking           int
}

type vote struct {
	target, user data.ID
	value        int
	at           time.Time
}

func (s *seeder) id(t time.Time, slot int, kind data.Kind) data.ID {
	for {
		if id := data.NewID(t, slot, kind, s.rng.Uint32()); !s.used[id] {
			s.used[id] = true
			return id
		}
	}
}

// between returns a time from t to now, more likely an early one.
func (s *seeder) between(t time.Time) time.Time {
	left := s.o.now.Sub(t)
	if left <= 0 {
		return s.o.now
	}
	return t.Add(time.Duration(float64(left) * math.Pow(s.rng.Float64(), 3)))
}

func (s *seeder) anyone() member { return s.members[s.rng.IntN(len(s.members))] }

func (s *seeder) makeMembers() {
	// All members share the password and its hash: 36 hashes would take seconds.
	salt := make([]byte, credentials.SaltLen)
	for i := range salt {
		salt[i] = byte(s.rng.Uint32())
	}
	hash := credentials.SafeHashCost.Hash(demoPassword, salt)
	for n := range s.o.users {
		name, bio := person(n)
		since := s.o.now.AddDate(0, 0, -90-s.rng.IntN(90))
		html, err := markdown.Render(bio, data.SidebarHTMLMax)
		if err != nil {
			html = ""
		}
		s.members = append(s.members, member{id: s.id(since, 0, data.KindOther), name: name, key: strings.ToLower(name),
			bio: bio, bioHTML: string(html), hash: hash, since: since})
	}
}

// perCommunity is how many of a community's hottest posts get votes.
const perCommunity = 10

// importedFrom is before the id of an imported post in its source.
const importedFrom = exchange.RedditSite + ":t3_"

// The posts below which members have said something, and the hottest ones. Unique index on source; index posts_hot, for each community.
// Shards have copies of the rows of their communities.
const talkedAbout = `SELECT c.id, c.name, p.id, p.created_at, coalesce(p.source, '') FROM communities c JOIN posts p ON p.id IN (
  SELECT h.id FROM (SELECT q.id FROM posts q WHERE q.community_id = c.id AND q.status = 'published'
    ORDER BY q.hot DESC, q.id DESC LIMIT :most) h
  UNION ALL SELECT t.id FROM json_each(:sources) j JOIN posts t ON t.source = j.value WHERE t.community_id = c.id)
ORDER BY p.id`

// named returns the member of that name. On a site of fewer members, another one writes in their place.
func (s *seeder) named(name string) member {
	n := slices.IndexFunc(persons, func(p [2]string) bool { return p[0] == name })
	return s.members[n%len(s.members)]
}

// makePosts creates the members' posts of the last two days.
func (s *seeder) makePosts() error {
	communities := map[string]data.ID{}
	for _, t := range s.targets {
		communities[t.community] = t.communityID
	}
	for n := 0; n < s.o.posts && n < len(ownPosts); n++ {
		p := ownPosts[n]
		community, ok := communities[p[0]]
		if !ok {
			continue
		}
		created := s.o.now.Add(-time.Duration(s.rng.Int64N(int64(48 * time.Hour)))).Truncate(time.Millisecond)
		html, err := markdown.Render(p[2], data.PostHTMLMax)
		if err != nil {
			return err
		}
		post := ownPost{target: target{s.id(created, community.Slot(), data.KindPost), community, p[0], created, p[1]},
			author: s.named(p[4]), slug: posts.SlugConflict(posts.Slug(p[1]), s.rng.Uint32()), kind: "text", title: p[1], link: p[3],
			text: p[2], html: string(html)}
		if p[3] != "" {
			post.kind = "link"
		}
		s.posts = append(s.posts, post)
		s.targets = append(s.targets, post.target)
		s.votes = append(s.votes, vote{post.id, post.author.id, 1, created})
	}
	return nil
}

// makeComments creates the members' comments on the posts that are there.
func (s *seeder) makeComments() error {
	for _, thread := range threads {
		n := slices.IndexFunc(s.targets, func(t target) bool { return t.name == thread.post })
		if n < 0 {
			continue
		}
		t, above := s.targets[n], []ownComment{}
		for _, w := range thread.comments {
			c := ownComment{post: t.id, author: s.named(w.author), community: t.community, depth: w.depth,
				body: strings.TrimSpace(w.text), liking: w.liking}
			after := t.created
			if above = above[:w.depth]; w.depth > 0 {
				parent := above[w.depth-1]
				c.parent, c.path, after = parent.id, parent.path, parent.created
			}
			c.created = s.between(after).Truncate(time.Millisecond)
			c.id = s.id(c.created, t.id.Slot(), data.KindComment)
			c.path += c.id.Text()
			html, err := markdown.Render(c.body, data.CommentHTMLMax)
			if err != nil {
				return err
			}
			c.html = string(html)
			above, s.comments = append(above, c), append(s.comments, c)
			s.votes = append(s.votes, vote{c.id, c.author.id, 1, c.created})
		}
	}
	return nil
}

// makeVotes adds votes of members on posts and comments, at most one each. Eleven of twelve are upvotes, but few on what is not liked.
func (s *seeder) makeVotes() {
	cast := map[[2]data.ID]bool{}
	for _, v := range s.votes {
		cast[[2]data.ID{v.target, v.user}] = true
	}
	var all []ownComment // what gets more votes is in it more often
	for _, t := range s.targets {
		all = append(all, ownComment{id: t.id, created: t.created})
	}
	for _, c := range s.comments {
		all = append(all, slices.Repeat([]ownComment{c}, max(c.liking, -c.liking)+1)...)
	}
	room := (len(s.targets)+len(s.comments))*len(s.members) - len(s.votes)
	for n := min(s.o.votes, room/4); n > 0; {
		c := all[s.rng.IntN(len(all))]
		v := vote{c.id, s.anyone().id, 1, s.between(c.created)}
		if (s.rng.IntN(12) == 0) != (c.liking < 0) {
			v.value = -1
		}
		if key := [2]data.ID{v.target, v.user}; !cast[key] {
			cast[key] = true
			s.votes = append(s.votes, v)
			n--
		}
	}
}

func (s *seeder) makeSubscriptions() {
	seen := map[data.ID]bool{}
	for _, t := range s.targets {
		if seen[t.communityID] {
			continue
		}
		seen[t.communityID] = true
		share := 0.2 + 0.6*s.rng.Float64()
		for _, m := range s.members {
			if s.rng.Float64() < share {
				s.subs = append(s.subs, [2]data.ID{m.id, t.communityID})
			}
		}
	}
}

func (p ownPost) hot() float64 { return ranking.Hot(0, 0, p.created) }
