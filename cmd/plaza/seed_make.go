package main

import (
	"math"
	"math/rand/v2"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/accounts/credentials"
	"plaza/data/content/posts"
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

// perCommunity is how many of a community's hottest posts get comments.
const perCommunity = 10

// Index posts_hot, for each community. Shards have copies of the rows of their communities.
const hottest = `SELECT c.id, c.name, p.id, p.created_at FROM communities c JOIN posts p ON p.id IN (
  SELECT q.id FROM posts q WHERE q.community_id = c.id AND q.status = 'published' ORDER BY q.hot DESC, q.id DESC LIMIT :most)
ORDER BY p.id`

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
		post := ownPost{target: target{s.id(created, community.Slot(), data.KindPost), community, p[0], created}, author: s.anyone(),
			slug: posts.SlugConflict(posts.Slug(p[1]), s.rng.Uint32()), kind: "text", title: p[1], link: p[3], text: p[2], html: string(html)}
		if p[3] != "" {
			post.kind = "link"
		}
		s.posts = append(s.posts, post)
		s.targets = append(s.targets, post.target)
		s.votes = append(s.votes, vote{post.id, post.author.id, 1, created})
	}
	return nil
}

// makeComments creates the members' comments. About half of them are replies to comments.
func (s *seeder) makeComments() error {
	inThread := map[data.ID][]int{} // comments by post
	for len(s.comments) < s.o.comments {
		// Some posts get many more comments than others.
		t := s.targets[int(float64(len(s.targets))*math.Pow(s.rng.Float64(), 2))]
		c := ownComment{post: t.id, author: s.anyone(), community: t.community}
		after := t.created
		thread := inThread[t.id]
		if len(thread) > 0 && s.rng.IntN(100) < 55 {
			parent := s.comments[thread[s.rng.IntN(len(thread))]]
			if parent.depth < 7 && parent.author.id != c.author.id {
				c.parent, c.path, c.depth, after = parent.id, parent.path, parent.depth+1, parent.created
			}
		}
		c.created = s.between(after).Truncate(time.Millisecond)
		c.id = s.id(c.created, t.id.Slot(), data.KindComment)
		c.path += c.id.Text()
		c.body = comment(s.rng, t.community, c.parent != 0)
		html, err := markdown.Render(c.body, data.CommentHTMLMax)
		if err != nil {
			return err
		}
		c.html = string(html)
		inThread[t.id] = append(thread, len(s.comments))
		s.comments = append(s.comments, c)
		s.votes = append(s.votes, vote{c.id, c.author.id, 1, c.created})
	}
	return nil
}

// makeVotes adds votes of members on posts and comments, at most one each. Five of six are upvotes.
func (s *seeder) makeVotes() {
	cast := map[[2]data.ID]bool{}
	for _, v := range s.votes {
		cast[[2]data.ID{v.target, v.user}] = true
	}
	room := (len(s.targets)+len(s.comments))*len(s.members) - len(s.votes)
	for n := min(s.o.votes, room/2); n > 0; {
		v := vote{user: s.anyone().id, value: 1}
		if i := s.rng.IntN(len(s.targets) + len(s.comments)); i < len(s.targets) {
			v.target, v.at = s.targets[i].id, s.between(s.targets[i].created)
		} else {
			c := s.comments[i-len(s.targets)]
			v.target, v.at = c.id, s.between(c.created)
		}
		if s.rng.IntN(6) == 0 {
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
