package inbox_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/delivery/inbox"
	"plaza/data/storetest"
)

func TestMarkRead(t *testing.T) {
	k := open(t)
	ann, bob := k.Member("ann"), k.Member("bob")
	k.fill(ann, 1, 100)
	k.fill(bob, 101, 5)
	left := func(a data.Actor, which inbox.Which) int {
		t.Helper()
		n, err := k.inbox.MarkRead(storetest.Ctx, a, which)
		require.NoError(t, err)
		k.counted()
		return n
	}
	require.Equal(t, 99, left(ann, inbox.Which{Item: 1}))
	require.Equal(t, 99, left(ann, inbox.Which{Item: 1}), "once more changes nothing")
	require.Equal(t, 98, left(ann, inbox.Which{Subject: 2*2 + 1}))
	require.Equal(t, 5, left(bob, inbox.Which{Item: 3}), "somebody else's stays")
	require.Equal(t, 97, left(ann, inbox.Which{Thread: 6, Newest: 10}), "what came later, nobody has seen")
	require.Equal(t, 96, left(ann, inbox.Which{Thread: 6, Newest: 100}))
	require.Equal(t, 4, left(ann, inbox.Which{Newest: 96}))
	require.NoError(t, k.Sessions.End(storetest.Ctx, ann))
	_, err := k.inbox.MarkRead(storetest.Ctx, ann, inbox.Which{Newest: 100})
	require.Equal(t, data.Unauthenticated, data.ErrorCode(err))
	require.Equal(t, int64(4), k.One("SELECT unread FROM users WHERE username = 'ann'"))
}
