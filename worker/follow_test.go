package worker_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFollow(t *testing.T) {
	s := mustOpen(t)
	ann, ben := s.member("ann"), s.member("Ben")
	counts := func() []any {
		return []any{s.one("SELECT following FROM users WHERE username = 'ann'"), s.one("SELECT followers FROM users WHERE username = 'Ben'"),
			s.one("SELECT count(*) FROM follows")}
	}
	require.Contains(t, ann.page("/u/ben"), ">Follow<")
	for range 2 { // twice is once
		require.Equal(t, "/u/ben", ann.mustPost("/follow", "user", "ben", "on", "1", "return", "/u/ben"))
		require.Equal(t, []any{int64(1), int64(1), int64(1)}, counts())
	}
	require.Contains(t, ann.page("/u/Ben"), ">Following<")
	require.Contains(t, s.visitor().page("/u/Ben"), ">Follow<")
	require.Contains(t, ben.page("/u/ann"), ">Follow<", "nobody follows back by being followed")

	res := ann.withHeader("HX-Request", "true").post("/follow", "user", "ben", "on", "0", "return", "/u/ben")
	require.Equal(t, http.StatusOK, res.Code)
	require.Contains(t, res.Body.String(), `name="on" value="1"`)
	require.Equal(t, []any{int64(0), int64(0), int64(0)}, counts())

	require.Equal(t, http.StatusNotFound, ann.post("/follow", "user", "nobody", "on", "1").Code)
	require.Equal(t, http.StatusUnprocessableEntity, ann.post("/follow", "user", "ann", "on", "1").Code)
	require.Equal(t, http.StatusUnprocessableEntity, ann.post("/follow", "user", "ben", "on", "yes").Code)
	require.Equal(t, []any{int64(0), int64(0), int64(0)}, counts())
	require.Equal(t, http.StatusSeeOther, s.visitor().post("/follow", "user", "ben", "on", "1").Code, "a visitor logs in first")
}
