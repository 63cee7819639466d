package accounts_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data/accounts"
	"plaza/test/storetest"
)

func TestFollowLists(t *testing.T) {
	s := storetest.Open(t)
	star := s.Member("star")
	s.Exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
INSERT INTO users (id, username, username_key, password_hash, created_at) SELECT i, 'fan' || i, 'fan' || i, '', 1 FROM n`)
	s.Exec(`INSERT INTO follows (follower_id, followee_id, created_at) SELECT id, ?1, 1 FROM users WHERE id <= 1000`, int64(star.UserID))
	s.Exec(`INSERT INTO follows (follower_id, followee_id, created_at) SELECT ?1, id, 1 FROM users WHERE id <= 60`, int64(star.UserID))

	walk := func(q accounts.PeopleQuery) (names []string, rows []int64) {
		for {
			ctx, meter := s.Metered()
			r := s.DB.Read()
			l := s.Accounts.FindPeople(r, q)
			require.NoError(t, r.Run(ctx))
			rows = append(rows, meter.RowsRead())
			for _, p := range l.Items() {
				names = append(names, p.Name)
			}
			if q.Before = l.Next(); q.Before == 0 {
				return names, rows
			}
		}
	}
	fans := func(from int) (names []string) {
		for i := from; i > 0; i-- {
			names = append(names, fmt.Sprint("fan", i))
		}
		return names
	}

	names, rows := walk(accounts.PeopleQuery{Name: "Star", Limit: 25})
	require.Equal(t, fans(1000), names)
	for _, n := range rows {
		require.LessOrEqual(t, n, int64(60), "rows of a page, however deep")
	}
	names, _ = walk(accounts.PeopleQuery{Name: "star", Limit: 25, Followees: true})
	require.Equal(t, fans(60), names)
	names, _ = walk(accounts.PeopleQuery{Name: "nobody", Limit: 25})
	require.Empty(t, names)

	r := s.DB.Read()
	l := s.Accounts.FindPeople(r, accounts.PeopleQuery{Name: "star", Limit: 1000, Viewer: star.UserID})
	require.NoError(t, r.Run(storetest.Ctx))
	for _, p := range l.Items() {
		require.Equal(t, p.ID <= 60, p.Followed, p.Name)
		if p.ID <= 60 {
			require.Equal(t, int64(1), p.Followers)
		}
	}
}
