package accounts_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/accounts"
	"plaza/data/accounts/signup"
	"plaza/data/content/communities"
	"plaza/data/content/posts"
	"plaza/data/events/outbox"
	"plaza/data/wire/hrana"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

func TestRename(t *testing.T) {
	s := storetest.Open(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	rename := func(a data.Actor, name string) error { return s.Accounts.Rename(storetest.Ctx, a, name) }
	former := func(name string) string {
		r := s.DB.Read()
		now := s.Accounts.FindFormer(r, name)
		require.NoError(t, r.Run(storetest.Ctx))
		return *now
	}
	copied := func(a data.Actor) {
		t.Helper()
		for range 10 {
			*s.Clock = s.Clock.Add(2 * time.Minute)
			_, err := s.Accounts.CopyNames(storetest.Ctx, []data.ID{a.UserID})
			require.NoError(t, err)
		}
		require.Equal(t, int64(0), s.One("SELECT count(*) FROM users WHERE renaming <> ''"))
	}
	storetest.CodeOf(t, rename(ann, "x"), data.Invalid, "3 to 20")
	storetest.CodeOf(t, rename(ann, "admin"), data.Conflict, "reserved")
	storetest.CodeOf(t, rename(ann, "BEN"), data.Conflict, "taken")
	require.NoError(t, rename(ann, "ann"), "the name that she has")
	require.Equal(t, int64(0), s.One("SELECT count(*) FROM former_names"))
	require.NoError(t, rename(ann, "Anna"))
	require.NoError(t, rename(ann, "Anna"), "twice is once")
	require.Equal(t, "Anna", former("ANN"))
	require.Equal(t, "", former("anna"))
	storetest.CodeOf(t, rename(ann, "another"), data.Forbidden, "30 days")
	copied(ann)
	storetest.CodeOf(t, rename(ann, "another"), data.Forbidden, "30 days")
	storetest.CodeOf(t, rename(ben, "ann"), data.Conflict, "taken")
	_, err := s.Signup.SignUp(storetest.Ctx, signup.Form{Username: "Ann", Password: "correct horse"})
	storetest.CodeOf(t, err, data.Conflict, "taken")

	*s.Clock = s.Clock.Add(31 * 24 * time.Hour)
	require.NoError(t, rename(ann, "ann"), "she may have it back")
	copied(ann)
	require.Equal(t, "ann", former("anna"))
	require.Equal(t, "", former("ann"))
	*s.Clock = s.Clock.Add(31 * 24 * time.Hour)
	require.NoError(t, rename(ann, "third"))
	copied(ann)
	require.Equal(t, "third", former("anna"))
	*s.Clock = s.Clock.Add(91 * 24 * time.Hour)
	require.NoError(t, rename(ben, "ann"), "nobody has had it for 90 days")
	copied(ben)
	require.Equal(t, "", former("ann"))
	require.Equal(t, "third", former("anna"))
	require.NoError(t, rename(ann, "THIRD"), "another letter case")
	copied(ann)
	require.Equal(t, "THIRD", s.One("SELECT username FROM users WHERE id = ?1", int64(ann.UserID)))
}

// TestCopiesFollow kills the process that copies names and avatars, at each of its requests.
func TestCopiesFollow(t *testing.T) {
	var urls []string
	var clients []*hrana.Client
	databases := 1
	if n := stacktest.Shards(t); n > 1 {
		databases += n
	}
	for range databases {
		urls = append(urls, stacktest.OpenSchemaURL(t))
	}
	for _, url := range urls {
		client := hrana.New(hrana.Options{URL: url})
		clients = append(clients, client)
	}
	d := storetest.DatabasesOf(t, clients[0], clients[1:]...)
	s := storetest.On(t, d.Open(), d, stacktest.OpenRedis(t))
	other := len(d.Shards) - 1
	ann, ben := s.Member("ann"), s.Member("ben")
	s.CommunityOn(0, ann, "gophers")
	s.CommunityOn(other, ben, "elsewhere")
	chooses := func(avatar string) {
		t.Helper()
		s.Asked(string(outbox.JobRename))
		_, err := s.Accounts.Update(storetest.Ctx, ann, accounts.Update{Settings: accounts.Settings{Avatar: accounts.ParseAvatar(avatar)}, Force: true})
		require.NoError(t, err)
		require.Equal(t, []data.ID{ann.UserID}, s.Asked(string(outbox.JobRename)))
	}
	chooses("#00695cK")
	_, err := s.Accounts.CopyNames(storetest.Ctx, []data.ID{ann.UserID})
	require.NoError(t, err)
	_, err = s.Accounts.Update(storetest.Ctx, ann, accounts.Update{Settings: accounts.Settings{Bio: "Hello", Avatar: accounts.ParseAvatar("#00695cK")},
		Force: true})
	require.NoError(t, err)
	require.Empty(t, s.Asked(string(outbox.JobRename)), "the same avatar")
	p := s.Post(ann, "gophers", "A post")
	require.Equal(t, "#00695cK", s.Find(p.ID, 0).AuthorAvatar, "chosen before it was written")
	s.Comment(ann, p.ID, 0, "an answer")
	gone := s.Comment(ann, p.ID, 0, "deleted")
	require.NoError(t, ignore(s.Comments.Delete(storetest.Ctx, ann, gone.ID)))
	crosspost := func() data.ID {
		again, err := s.Posts.Create(storetest.Ctx, ben, posts.Create{Community: "elsewhere", Title: "Crosspost", CrosspostOf: p.ID,
			AllowRepost: true})
		require.NoError(t, err)
		return again.ID
	}
	shown := []data.ID{crosspost()}
	_, err = s.Posts.Create(storetest.Ctx, ann, posts.Create{Community: "gophers", Title: "A draft", Status: posts.Draft})
	require.NoError(t, err)
	removed := s.Post(ann, "gophers", "Removed")
	s.Exec("UPDATE posts SET status = 'removed' WHERE id = ?1", int64(removed.ID))
	nameless := s.Post(ann, "gophers", "Deleted, by somebody who was about to leave")
	s.Exec("UPDATE posts SET status = 'deleted', author_name = '', author_avatar = '' WHERE id = ?1", int64(nameless.ID))
	late := s.Post(ann, "elsewhere", "Liked later")
	s.Vote(ben, p.ID, 1)
	s.ApplyAll()
	s.ExecAt(p.ID, `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
INSERT INTO comments (id, post_id, path, depth, author_id, author_name, body, body_html, created_at)
SELECT 2 * i + 1, ?1, printf('%013d', i), 0, ?2, 'ann', 'x', 'x', i FROM n`, int64(p.ID), int64(ann.UserID))

	require.NoError(t, s.Accounts.Rename(storetest.Ctx, ann, "Anna"))
	chooses("#00695cL")
	// A device whose session has the old name writes, before and after.
	early := s.Comment(ann, p.ID, 0, "early")
	killed := 0
	for n := int64(1); s.One("SELECT renaming <> '' OR repainting FROM users WHERE id = ?1", int64(ann.UserID)) != int64(0); n++ {
		require.Less(t, n, int64(60))
		*s.Clock = s.Clock.Add(time.Minute)
		if copyAsProcess(t, &process{URLs: urls, Member: int64(ann.UserID), Now: *s.Clock, Dies: n, Before: n%2 == 0}) {
			killed++
		}
		switch n {
		case 2: // karma that is counted while the post has the old name
			s.Vote(ben, late.ID, 1)
			s.ApplyAll()
		case 4:
			s.Comment(ann, p.ID, 0, "in the middle")
		case 12:
			chooses("Y")
		case 5:
			shown = append(shown, crosspost())
		}
	}
	require.GreaterOrEqual(t, killed, 8)
	s.Comment(ann, p.ID, 0, "late")
	s.Post(ann, "gophers", "Late")
	_, err = s.Communities.Create(storetest.Ctx, ann, communities.Create{Name: "late"})
	require.NoError(t, err)

	for _, table := range []string{"posts", "comments"} {
		require.Equal(t, int64(0), s.One(fmt.Sprintf("SELECT count(*) FROM %s WHERE author_id = ?1 AND author_name NOT IN ('Anna', '')", table),
			int64(ann.UserID)), table)
		require.Equal(t, int64(0), s.One(fmt.Sprintf("SELECT count(*) FROM %s WHERE author_avatar <> iif(author_id = ?1 AND status <> "+
			"'deleted', 'Y', '')", table), int64(ann.UserID)), table)
	}
	require.Equal(t, int64(1), s.One("SELECT count(*) FROM posts WHERE author_id = ?1 AND author_name = ''", int64(ann.UserID)),
		"a name that is gone does not come back")
	require.Equal(t, int64(0), s.One("SELECT count(*) FROM moderators WHERE user_id = ?1 AND username <> 'Anna'", int64(ann.UserID)))
	for _, row := range s.Rows("SELECT name_key FROM author_karma WHERE author_id = ?1", int64(ann.UserID)) {
		require.Equal(t, "anna", row[0])
	}
	for _, id := range append(shown, crosspost()) {
		require.Equal(t, "Anna", s.Find(id, 0).Original.Author)
		require.Equal(t, "ben", s.Find(id, 0).Author)
	}
	require.NotZero(t, early.ID)
	chooses("")
	for rest := []data.ID{ann.UserID}; len(rest) > 0; {
		rest, err = s.Accounts.CopyNames(storetest.Ctx, rest)
		require.NoError(t, err)
		*s.Clock = s.Clock.Add(time.Minute)
	}
	require.Equal(t, int64(0), s.One("SELECT count(*) FROM comments WHERE author_avatar <> ''"), "without a choice there is none")
	require.Equal(t, int64(0), s.One("SELECT count(*) FROM outbox WHERE job = 'rename'"))
}

func ignore(_ any, err error) error { return err }

// A process that copies the names of a member, and is killed at one of its requests.
type process struct {
	URLs   []string // of the directory, or of the directory and the shards
	Member int64
	Now    time.Time // of the databases
	Dies   int64     // at which request it dies, from 1 on
	Before bool      // before the request is sent; otherwise after it was processed

	sent atomic.Int64
}

// asProcess is the variable that makes this program such a process.
const asProcess = "PLAZA_COPY_NAMES"

// copyAsProcess starts a process and reports whether it was killed.
func copyAsProcess(t *testing.T, p *process) (killed bool) {
	t.Helper()
	text, err := json.Marshal(p)
	require.NoError(t, err)
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), asProcess+"="+string(text))
	out, err := c.CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.Sys().(syscall.WaitStatus).Signal() == syscall.SIGKILL {
		return true
	}
	require.NoError(t, err, "%s", out)
	return false
}

// copiesNames is the main function of such a process. It returns false in all others.
func copiesNames() bool {
	text := os.Getenv(asProcess)
	if text == "" {
		return false
	}
	var p process
	if err := json.Unmarshal([]byte(text), &p); err != nil {
		panic(err)
	}
	var all []*hrana.Client
	for _, url := range p.URLs {
		all = append(all, hrana.New(hrana.Options{URL: url, HTTP: &p}))
	}
	shards := all
	if len(all) > 1 {
		shards = all[1:]
	}
	source := data.SystemSource()
	source.Database = func() time.Time { return p.Now }
	store := accounts.Store{Base: data.Base{DB: data.NewDB(all[0], shards...), Source: source}}
	for rest := []data.ID{data.ID(p.Member)}; len(rest) > 0; {
		var err error
		if rest, err = store.CopyNames(context.Background(), rest); err != nil {
			panic(err)
		}
	}
	return true
}

// Do is the process's HTTP client for the databases.
func (p *process) Do(r *http.Request) (*http.Response, error) {
	last := p.sent.Add(1) == p.Dies
	if last && p.Before {
		die()
	}
	res, err := http.DefaultClient.Do(r)
	if last {
		die()
	}
	return res, err
}

// die kills this process.
func die() {
	_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	select {}
}
