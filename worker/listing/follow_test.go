package listing_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
)

func TestFollow(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, ben := s.Member("ann"), s.Member("Ben")
	counts := func() []any {
		return []any{s.One("SELECT following FROM users WHERE username = 'ann'"), s.One("SELECT followers FROM users WHERE username = 'Ben'"),
			s.One("SELECT count(*) FROM follows")}
	}
	require.Contains(t, ann.Page("/u/ben"), ">Follow<")
	for range 2 { // twice is once
		require.Equal(t, "/u/ben", ann.MustPost("/follow", "user", "ben", "on", "1", "return", "/u/ben"))
		require.Equal(t, []any{int64(1), int64(1), int64(1)}, counts())
	}
	require.Contains(t, ann.Page("/u/Ben"), ">Following<")
	require.Contains(t, s.Visitor().Page("/u/Ben"), ">Follow<")
	require.Contains(t, ben.Page("/u/ann"), ">Follow<", "nobody follows back by being followed")

	res := ann.WithHeader("HX-Request", "true").Post("/follow", "user", "ben", "on", "0", "return", "/u/ben")
	require.Equal(t, http.StatusOK, res.Code)
	require.Contains(t, res.Body.String(), `name="on" value="1"`)
	require.Equal(t, []any{int64(0), int64(0), int64(0)}, counts())

	require.Equal(t, http.StatusNotFound, ann.Post("/follow", "user", "nobody", "on", "1").Code)
	require.Equal(t, http.StatusUnprocessableEntity, ann.Post("/follow", "user", "ann", "on", "1").Code)
	require.Equal(t, http.StatusUnprocessableEntity, ann.Post("/follow", "user", "ben", "on", "yes").Code)
	require.Equal(t, []any{int64(0), int64(0), int64(0)}, counts())
	require.Equal(t, http.StatusSeeOther, s.Visitor().Post("/follow", "user", "ben", "on", "1").Code, "a visitor logs in first")
}
