package worker_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/test/workertest"
)

// newMembers makes members with names and numbers whose accounts are of an age, with their sessions. They are written into the tables
// together: signing up costs a hash of the password each.
func newMembers(s *workertest.Site, name string, n int, age time.Duration) (list []*workertest.Browser) {
	s.Helper()
	type row struct {
		ID      int64  `json:"id"`
		Session int64  `json:"session"`
		Name    string `json:"name"`
		At      int64  `json:"at"`
	}
	var rows []row
	for i := range n {
		now := s.Config.Source.Now()
		a := data.Actor{UserID: data.NewID(now.Add(-age), 0, data.KindOther, uint32(i)), Name: fmt.Sprint(name, i),
			SessionID: data.NewID(now, 0, data.KindOther, uint32(i)), IssuedAt: now}
		rows = append(rows, row{int64(a.UserID), int64(a.SessionID), a.Name, now.UnixMilli()})
		list = append(list, &workertest.Browser{Site: s, Header: http.Header{}, Cookie: s.App.CookieOf(a)})
	}
	text, err := json.Marshal(rows)
	require.NoError(s, err)
	const of = ` FROM json_each(?1) j`
	s.Exec(`INSERT INTO users (id, username, username_key, password_hash, created_at)
SELECT j.value ->> 'id', j.value ->> 'name', lower(j.value ->> 'name'), '', j.value ->> 'at'`+of, string(text))
	s.Exec(`INSERT INTO sessions (id, user_id, started_at, issued_at, seen_at, device, network, way)
SELECT j.value ->> 'session', j.value ->> 'id', j.value ->> 'at', j.value ->> 'at', j.value ->> 'at', '', '', 'password'`+of, string(text))
	return list
}
