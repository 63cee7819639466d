// Package sitetest fills test databases as users fill a site: by the stores' own writes, the importer and the delta runs of the queue. So
// verify compares rows that the site's own code wrote, and not rows of the test.
package sitetest

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	_ "github.com/tursodatabase/libsql-client-go/libsql" // the driver
	"golang.org/x/sync/errgroup"

	"plaza/data"
	"plaza/data/accounts"
	"plaza/data/accounts/signup"
	"plaza/data/content/comments"
	"plaza/data/content/communities"
	"plaza/data/content/hot"
	"plaza/data/content/posts"
	"plaza/data/content/votes"
	"plaza/data/content/wiki"
	"plaza/data/events/modlog"
	"plaza/data/moderation/reports"
	"plaza/data/rights/bans"
	"plaza/data/rights/rules"
	"plaza/data/site"
	"plaza/data/wire/hrana"
	"plaza/ops/exchange/importer"
	"plaza/ranking"
	"plaza/stack"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

// Site is one site of a test: its databases, as tools open them, and the stores over them.
type Site struct {
	*storetest.Stores
	Directory *sql.DB
	Shards    []*sql.DB // by number
	URLs      []string  // of the shards
	Clients   []*hrana.Client

	Members []data.Actor
	rng     *rand.Rand
}

// Open makes an empty site. The directory is the first of its shards.
func Open(t *testing.T, shards int) *Site {
	t.Helper()
	var urls []string
	for range shards {
		url := stacktest.OpenSchemaURL(t)
		urls = append(urls, url)
	}
	return OpenAt(t, urls)
}

// filled are sites after Fill, by their number of databases: each program of tests fills one and copies it.
var filled struct {
	sync.Mutex
	sites map[int]*filledSite
}

type filledSite struct {
	files   []stacktest.Files
	members []data.Actor
}

// OpenFilled is Open and Fill.
func OpenFilled(t *testing.T, shards int) *Site {
	t.Helper()
	one := fill(t, shards)
	var urls []string
	for _, files := range one.files {
		urls = append(urls, stacktest.OpenFilesURL(t, files))
	}
	s := OpenAt(t, urls)
	s.Members = slices.Clone(one.members)
	s.buildSets()
	return s
}

func fill(t *testing.T, shards int) *filledSite {
	t.Helper()
	filled.Lock()
	defer filled.Unlock()
	if one := filled.sites[shards]; one != nil {
		return one
	}
	s, one := Open(t, shards), &filledSite{}
	s.Fill()
	for _, url := range s.URLs {
		one.files = append(one.files, stacktest.FilesOf(t, url))
	}
	one.members = s.Members
	if filled.sites == nil {
		filled.sites = map[int]*filledSite{}
	}
	filled.sites[shards] = one
	return one
}

// OpenAt opens a site that has databases. Its clock is the system's, as that of tools.
func OpenAt(t *testing.T, urls []string) *Site {
	t.Helper()
	s := &Site{URLs: urls, rng: rand.New(rand.NewPCG(1, 2))}
	for _, url := range urls {
		s.Clients = append(s.Clients, hrana.New(hrana.Options{URL: url}))
		s.Shards = append(s.Shards, OpenSQL(t, url))
	}
	s.Directory = s.Shards[0]
	d := storetest.DatabasesOf(t, s.Clients[0], s.Clients...)
	s.Stores = storetest.OnClock(t, d.Open(), d, stacktest.OpenRedis(t), data.SystemSource())
	s.Hot.Cap, s.Votes.Limits = 1000, ranking.DefaultThresholds()
	return s
}

// OpenSQL opens a database that exists.
func OpenSQL(t testing.TB, url string) *sql.DB {
	t.Helper()
	db, err := sql.Open("libsql", url)
	require.NoError(t, err)
	db.SetConnMaxIdleTime(5 * time.Second)
	t.Cleanup(func() { db.Close() })
	return db
}

var ctx = context.Background()

// People adds members whose accounts are of some age. Only the first one signs up by the form, whose account is new.
func (s *Site) People(n int, age time.Duration) []data.Actor {
	s.Helper()
	var list []data.Actor
	for i := range n {
		name := fmt.Sprintf("Member%d", len(s.Members))
		if len(s.Members) == 0 {
			a, err := s.Signup.SignUp(ctx, signup.Form{Username: name, Email: "Member@Example.org", Password: "correct horse"})
			require.NoError(s, err)
			s.Members, list = append(s.Members, a), append(list, a)
			continue
		}
		a := data.Actor{UserID: data.NewID(time.Now().Add(-age), 0, data.KindOther, uint32(i)), Name: name, IssuedAt: time.Now()}
		_, err := s.Directory.Exec(`INSERT INTO users (id, username, username_key, password_hash, created_at) VALUES (?, ?, ?, '', ?)`,
			int64(a.UserID), name, strings.ToLower(name), a.UserID.Time().UnixMilli())
		require.NoError(s, err)
		s.Members, list = append(s.Members, a), append(list, a)
	}
	return list
}

func (s *Site) anyone() data.Actor { return s.Members[s.rng.IntN(len(s.Members))] }

// ShardOf is the shard that holds what an id names.
func (s *Site) ShardOf(id data.ID) *sql.DB {
	s.Helper()
	at, err := data.NewDB(s.Clients[0], s.Clients...).Locate(ctx, id) // a community may have moved
	require.NoError(s, err)
	return s.Shards[at.Shard()]
}

// Community founds a community on a shard.
func (s *Site) Community(name string, shard int) {
	s.Helper()
	store := &communities.Store{Base: data.Base{DB: s.DB, Source: data.SystemSource()}}
	store.Source.Rand = func() uint32 { return uint32(shard) }
	_, err := store.Create(ctx, s.Members[0], communities.Create{Name: name, Description: "About " + name})
	require.NoError(s, err)
}

// Post posts a text, or a link.
func (s *Site) Post(a data.Actor, community, title, link string) *posts.Post {
	s.Helper()
	c := posts.Create{Community: community, Title: title, Link: link, AllowRepost: true,
		Tags: []string{"", "go", "go wasm", "a b c d e"}[s.rng.IntN(4)]}
	if link == "" {
		c.Text, c.TextHTML, c.Excerpt = "text", "<p>text</p>", "text"
	}
	p, err := s.Posts.Create(ctx, a, c)
	require.NoError(s, err)
	return p
}

// ApplyDeltas counts all votes and comments that wait.
func (s *Site) ApplyDeltas() {
	s.Helper()
	for {
		p, err := s.Votes.FindPending(ctx, 0)
		require.NoError(s, err)
		if len(p.Targets) == 0 && len(p.Posts) == 0 {
			return
		}
		s.ApplyOnly(p)
	}
}

// names are the communities of Fill.
var names = []string{"Alpha", "Beta", "Gamma"}

// buildSets makes the sorted sets of the communities of Fill and of the site.
func (s *Site) buildSets() {
	s.Helper()
	for _, name := range append([]string{hot.SiteScope}, names...) {
		require.NoError(s, s.Hot.Rebuild(ctx, name))
	}
}

// Fill does a bit of everything that members and moderators can do, and leaves some votes and comments that are not applied.
func (s *Site) Fill() {
	s.Helper()
	s.People(12, 30*24*time.Hour)
	ann := s.Members[0]
	for i, name := range names {
		s.Community(name, i%len(s.Shards))
		for _, a := range s.Members[1 : 3+2*i] {
			require.NoError(s, s.Communities.Subscribe(ctx, a, name, true))
		}
	}
	require.NoError(s, s.Communities.Subscribe(ctx, s.Members[1], "Gamma", false))
	_, err := s.Communities.Update(ctx, ann, "Beta", communities.Update{SidebarHTML: "<p>Rules</p>", Force: true,
		Settings: communities.Settings{Title: "Beta, changed", Sidebar: "Rules", Colour: data.Palette[3].Hex,
			Rules: []communities.Rule{{Title: "Be kind"}}}})
	require.NoError(s, err)
	for i, a := range s.Members[1:7] {
		require.NoError(s, s.Accounts.Follow(ctx, a, ann.Name, true))
		require.NoError(s, s.Accounts.Follow(ctx, ann, a.Name, i%2 == 0))
	}
	s.importSample()

	var list []*posts.Post
	for i := range 9 {
		link := ""
		if i%3 == 1 {
			link = fmt.Sprintf("https://www.example.org/page/%d?utm_source=x", i)
		}
		list = append(list, s.Post(s.anyone(), names[i%3], fmt.Sprintf("Post %d", i), link))
	}
	cross, err := s.Posts.Create(ctx, s.anyone(), posts.Create{Community: "Gamma", Title: "Seen elsewhere", CrosspostOf: list[0].ID})
	require.NoError(s, err)
	list = append(list, cross)
	var replies []*comments.Comment
	for i := range 60 {
		p := list[s.rng.IntN(len(list))]
		by, parent := s.anyone(), data.ID(0)
		if len(replies) > 0 && i%3 != 0 {
			c := replies[s.rng.IntN(len(replies))]
			parent = c.ID
			if i%4 == 0 { // the post's author answers
				by = s.AuthorOf(c.PostID)
			}
		}
		replies = append(replies, s.Comment(by, p.ID, parent, fmt.Sprintf("Comment %d %s", i, strings.Repeat("long ", s.rng.IntN(40)))))
		if i == 30 {
			s.voteAround(list, replies, 150)
			s.ApplyDeltas()
		}
	}
	s.voteAround(list, replies, 300)
	s.ApplyDeltas()
	s.change(list, replies)
	s.brigades(list[1], replies[0])
	s.reports(list[1], replies[0])
	s.bans(list[1])
	s.buildSets()
	require.NoError(s, s.Accounts.CopyKarma(ctx))
	// What waits now stays.
	s.voteAround(list, replies, 40)
	s.Comment(s.Members[0], list[2].ID, 0, "not counted yet")
	for _, c := range replies[10:] {
		if c.PostID != list[8].ID { // which is deleted
			s.Comment(s.Members[0], 0, c.ID, "nor this one")
			break
		}
	}
}

// AuthorOf returns who wrote a post.
func (s *Site) AuthorOf(post data.ID) data.Actor {
	var id int64
	require.NoError(s, s.ShardOf(post).QueryRow(`SELECT author_id FROM posts WHERE id = ?`, int64(post)).Scan(&id))
	return s.member(data.ID(id))
}

func (s *Site) member(id data.ID) data.Actor {
	return s.Members[slices.IndexFunc(s.Members, func(a data.Actor) bool { return a.UserID == id })]
}

// voteAround has n votes cast at once, which share transactions.
func (s *Site) voteAround(list []*posts.Post, replies []*comments.Comment, n int) {
	s.Helper()
	var all errgroup.Group
	for range n {
		target := replies[s.rng.IntN(len(replies))].ID
		if s.rng.IntN(2) == 0 {
			target = list[s.rng.IntN(len(list))].ID
		}
		a, value := s.anyone(), []int{1, 1, 1, -1, -1, 0}[s.rng.IntN(6)]
		a.Origin = data.Origin{Network: fmt.Sprintf("10.%d.0.0/24", s.rng.IntN(200))}
		all.Go(func() error {
			_, err := s.Votes.Cast(ctx, a, target, value)
			if code := data.ErrorCode(err); code == data.Forbidden || code == data.Unauthenticated { // deleted; suspended
				return nil
			}
			return err
		})
	}
	require.NoError(s, all.Wait())
}

// change edits and deletes.
func (s *Site) change(list []*posts.Post, replies []*comments.Comment) {
	for i, c := range replies[:10] {
		by := s.member(c.AuthorID)
		if i%2 == 0 {
			_, err := s.Comments.Delete(ctx, by, c.ID)
			require.NoError(s, err)
			continue
		}
		_, err := s.Comments.Edit(ctx, by, comments.Edit{ID: c.ID, Body: "other words", BodyHTML: "<p>other words</p>"})
		require.NoError(s, err)
	}
	_, err := s.Posts.Delete(ctx, s.AuthorOf(list[8].ID), list[8].ID)
	require.NoError(s, err)
	for _, status := range []posts.Status{posts.Draft, posts.Scheduled, posts.Draft} {
		c := posts.Create{Community: "Alpha", Title: "Later", Text: "text", TextHTML: "<p>text</p>", Status: status}
		if status == posts.Scheduled {
			c.PublishAt = time.Now().Add(time.Hour)
		}
		p, err := s.Posts.Create(ctx, s.Members[0], c)
		require.NoError(s, err)
		if status == posts.Scheduled {
			_, err = s.Posts.PublishDraft(ctx, s.Members[0], p.ID, 0, true, rules.Verdict{})
			require.NoError(s, err)
		}
	}
	s.people()
	s.set(func(set *site.Settings) { set.Archive = 90 })
	require.NoError(s, s.Suspensions.Suspend(ctx, s.Members[11].Name))
	require.NoError(s, s.Sessions.End(ctx, data.Actor{UserID: s.Members[10].UserID, SessionID: 77, IssuedAt: time.Now()}))
}

// set has the first member, who becomes an administrator, set something for the whole site.
func (s *Site) set(change func(*site.Settings)) {
	s.Helper()
	_, err := s.Directory.Exec(`UPDATE users SET admin = 1 WHERE id = ?1`, int64(s.Members[0].UserID))
	require.NoError(s, err)
	set := *site.DefaultSettings()
	require.NoError(s, s.Directory.QueryRow(`SELECT coalesce(max(revision), 0) FROM site_settings`).Scan(&set.Revision))
	change(&set)
	_, err = (&site.Store{Base: data.Base{DB: s.DB, Source: data.SystemSource()}}).Update(ctx, s.Members[0], set)
	require.NoError(s, err)
}

// people has members take new names and avatars and block each other, and moves two above the threshold: of one, all follows are marked.
func (s *Site) people() {
	for i, name := range []string{"Eight", "Nine"} {
		n := 8 + i
		require.NoError(s, s.Accounts.Rename(ctx, s.Members[n], name))
		_, err := s.Accounts.Update(ctx, s.Members[n], accounts.Update{Settings: accounts.Settings{Avatar: accounts.Avatar{Letter: name[:1]}},
			Force: true})
		require.NoError(s, err)
		rest, err := s.Accounts.CopyNames(ctx, []data.ID{s.Members[n].UserID})
		require.NoError(s, err)
		require.Empty(s, rest)
	}
	for n, name := range []string{"Member5", "Nine", "Member7"} {
		require.NoError(s, s.Accounts.Block(ctx, s.Members[n], name, true))
	}
	for n, to := range []int64{1 << 62, 0} {
		for _, q := range []string{`UPDATE users SET on_read_to = ?2 WHERE id = ?1`,
			`UPDATE follows SET on_read = 1, backfill = 0 WHERE followee_id = ?1 AND ?2 >= 0`} {
			_, err := s.Directory.Exec(q, int64(s.Members[n].UserID), to)
			require.NoError(s, err)
		}
	}
}

// reports has members report a post and a comment, for one reason and for several.
func (s *Site) reports(post *posts.Post, comment *comments.Comment) {
	store := &reports.Store{Base: data.Base{DB: s.DB, Source: data.SystemSource()}}
	for n, reason := range []string{"Spam", "Spam", "Breaks the law"} {
		for _, target := range []data.ID{post.ID, comment.ID} {
			r := s.DB.Read()
			thing := store.FindThing(r, s.Members[n+3].UserID, target)
			require.NoError(s, r.Run(ctx))
			if thing.Err() != nil {
				continue
			}
			require.NoError(s, store.Report(ctx, s.Members[n+3], thing, reason, ""))
		}
	}
}

// bans has a member banned from a community, which gets a page.
func (s *Site) bans(post *posts.Post) {
	_, err := s.Directory.Exec(`INSERT INTO moderators (community_id, user_id, username, created_at) SELECT id, ?1, ?2, 0 FROM communities
  WHERE name = ?3 ON CONFLICT DO NOTHING`,
		int64(s.Members[0].UserID), s.Members[0].Name, post.Community)
	require.NoError(s, err)
	pages := &wiki.Store{Base: data.Base{DB: s.DB, Source: data.SystemSource()}}
	_, err = pages.Create(ctx, s.Members[0], post.Community, wiki.NewPage{Title: "A guide", Text: "Read this.", HTML: "<p>Read this.</p>"})
	require.NoError(s, err)
	store := &bans.Store{Base: data.Base{DB: s.DB, Source: data.SystemSource()}}
	_, err = store.Decide(ctx, s.Members[0], bans.Decision{Community: post.Community, Name: s.Members[5].Name,
		Act: modlog.Act{Action: modlog.Mute, Rule: "Spam"}})
	require.NoError(s, err)
}

// brigades makes two groups vote, each from one network. Their votes are quarantined, and one case is dropped.
func (s *Site) brigades(post *posts.Post, comment *comments.Comment) {
	people := s.People(25, 20*24*time.Hour)
	for i, target := range []data.ID{post.ID, comment.ID} {
		if i == 1 {
			target = s.Comment(s.Members[2], post.ID, 0, "disliked").ID
		}
		var all errgroup.Group
		for _, a := range people {
			a.Origin = data.Origin{Network: "192.0.2.0/24"}
			all.Go(func() error {
				_, err := s.Votes.Cast(ctx, a, target, -1)
				return err
			})
		}
		require.NoError(s, all.Wait())
	}
	s.ApplyDeltas()
	var id int64
	shard := s.ShardOf(post.ID)
	require.NoError(s, shard.QueryRow(`SELECT min(id) FROM quarantines WHERE status = 'open'`).Scan(&id))
	_, err := s.Votes.Decide(ctx, s.Members[0], post.Community, data.ID(id), votes.Drop)
	require.NoError(s, err)
	w := s.DB.WriteAt(post.ID)
	modlog.Add(w, s.Members[0], modlog.NewEntry{ID: data.NewID(time.Now(), post.ID.Slot(), data.KindOther, 0), Community: post.Community,
		Action: modlog.Lock, Target: post.ID}, "true", nil)
	require.NoError(s, w.Run(ctx))
	var open int
	require.NoError(s, shard.QueryRow(`SELECT count(*) FROM quarantines WHERE status = 'open'`).Scan(&open))
	require.Equal(s, 1, open)
	s.ApplyDeltas()
}

func (s *Site) importSample() {
	root, err := stack.Root()
	require.NoError(s, err)
	source, err := importer.File(filepath.Join(root, "cmd", "plaza", "sample", "golang.csv.gz"))
	require.NoError(s, err)
	_, err = importer.Import(ctx, data.NewDB(s.Clients[0], s.Clients...), importer.Options{Format: importer.RedditCSV,
		Sources: []importer.Source{source}, Shift: true, Now: time.Now()})
	require.NoError(s, err)
}
