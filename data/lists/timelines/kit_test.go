package timelines_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/events/outbox"
	"plaza/data/lists/timelines"
	"plaza/data/wire/hrana"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

// kit has the stores, with the waiting work of the outbox.
type kit struct {
	*storetest.Stores
	outbox *outbox.Store
}

func open(t *testing.T) *kit {
	s := storetest.Open(t)
	return &kit{s, &outbox.Store{Base: s.Posts.Base}}
}

// due returns the waiting work on timelines, a minute from now and later.
func (k *kit) due() (list []outbox.Due) {
	k.Helper()
	*k.Clock = k.Clock.Add(24 * time.Hour / 20) // also after several attempts
	list, _, err := k.outbox.FindDue(storetest.Ctx, 0)
	require.NoError(k, err)
	return slices.DeleteFunc(list, func(d outbox.Due) bool {
		return !slices.Contains([]outbox.Job{outbox.JobTimeline, outbox.JobBackfill, outbox.JobRebuild}, d.Job)
	})
}

// do handles a message, like the events consumer.
func (k *kit) do(d outbox.Due) {
	k.Helper()
	handle := map[outbox.Job]func([]data.ID) ([]data.ID, error){
		outbox.JobTimeline: func(ids []data.ID) ([]data.ID, error) { return k.Timelines.FanOut(storetest.Ctx, ids) },
		outbox.JobBackfill: func(ids []data.ID) ([]data.ID, error) { return k.Timelines.Backfill(storetest.Ctx, ids) },
		outbox.JobRebuild:  func(ids []data.ID) ([]data.ID, error) { return k.Timelines.Rebuild(storetest.Ctx, ids) },
	}[d.Job]
	require.NotNil(k, handle, d.Job)
	_, err := handle([]data.ID{d.Subject})
	require.NoError(k, err)
}

// drain does all waiting work.
func (k *kit) drain() {
	k.Helper()
	for range 50 {
		list := k.due()
		if len(list) == 0 {
			return
		}
		for _, d := range list {
			k.do(d)
		}
	}
	k.Fatal("there is always more work")
}

// here records a visit of a member, as opening a page does.
func (k *kit) here(a data.Actor) {
	k.Helper()
	require.NoError(k, k.Timelines.RecordVisit(storetest.Ctx, a.UserID))
}

// present is a new active member.
func (k *kit) present(name string) data.Actor {
	a := k.Member(name)
	k.here(a)
	return a
}

// title posts, and returns the title.
func (k *kit) title(a data.Actor, title string) string {
	k.Helper()
	k.Post(a, "gophers", title)
	return title
}

func (k *kit) follow(a data.Actor, name string, on bool) {
	k.Helper()
	require.NoError(k, k.Accounts.Follow(storetest.Ctx, a, name, on))
}

// home returns a whole timeline, page by page.
func (k *kit) home(a data.Actor, limit int) (titles []string, rows []int64) {
	k.Helper()
	after := data.Cursor{}
	for {
		ctx, meter := k.Metered()
		r := k.DB.Read()
		h, err := k.Listings.FindHome(ctx, r, a.UserID, false, after, limit)
		require.NoError(k, err)
		require.NoError(k, r.Run(ctx))
		rows = append(rows, meter.RowsRead())
		for _, p := range h.Items() {
			titles = append(titles, p.Title)
		}
		if after = h.Next(); after.IsZero() {
			return titles, rows
		}
		after, err = data.ParseCursor(byte(data.OrderHome), after.String())
		require.NoError(k, err)
	}
}

// addFollowers makes members with ids from first who follow an author and are active.
func (k *kit) addFollowers(first, n int, followee data.Actor) {
	k.Helper()
	now := k.Clock.UnixMilli()
	k.Exec(`WITH RECURSIVE n (i) AS (SELECT ?1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1 + ?2 - 1)
INSERT INTO users (id, username, username_key, password_hash, created_at, seen_at) SELECT i, 'fan' || i, 'fan' || i, '', 1, ?3 FROM n`,
		first, n, now)
	k.Exec(`INSERT INTO follows (follower_id, followee_id, created_at) SELECT id, ?3, 1 FROM users WHERE id BETWEEN ?1 AND ?1 + ?2 - 1`, first,
		n, int64(followee.UserID))
}

func fan(id int) data.Actor { return data.Actor{UserID: data.ID(id), Name: fmt.Sprint("fan", id)} }

// openTwo is a kit, and a second instance with the same timelines, whose connection can be cut. It makes one attempt.
func openTwo(t *testing.T) (k *kit, other *timelines.Store) {
	url, client := stacktest.OpenSchemaDB(t)
	sql, line := hrana.New(hrana.Options{URL: url, HTTP: client}),
		hrana.New(hrana.Options{URL: url, HTTP: storetest.Line{Name: storetest.ToSQL, Http: client}, Attempts: 1})
	s := storetest.New(t, data.NewDB(sql, sql), sql, stacktest.OpenRedis(t))
	return &kit{s, &outbox.Store{Base: s.Posts.Base}}, &timelines.Store{Base: data.Base{DB: data.NewDB(line, line), Source: s.Posts.Source}}
}
