package sessions_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/test/storetest"
)

func TestAnEndedSession(t *testing.T) {
	s := storetest.Open(t)
	ann := s.Member("ann")
	s.Community(ann, "gophers")
	undated := ann
	undated.IssuedAt = time.Time{}
	join := func(a data.Actor) data.Code {
		return data.ErrorCode(s.Communities.Subscribe(storetest.Ctx, a, "gophers", true))
	}
	live := func(a data.Actor) bool {
		r := s.DB.Read()
		viewer := s.Accounts.FindViewer(r, a)
		require.NoError(t, r.Run(storetest.Ctx))
		return viewer.Live
	}
	require.Empty(t, join(ann))
	require.True(t, live(ann))
	require.NoError(t, s.Sessions.End(storetest.Ctx, ann))
	require.Equal(t, data.Unauthenticated, join(ann))
	require.False(t, live(ann))

	require.Equal(t, data.Unauthenticated, join(undated), "whose beginning is not known, either")
	require.False(t, live(undated))
}
