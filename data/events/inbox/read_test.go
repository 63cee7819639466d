package inbox_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/events/inbox"
	"plaza/test/storetest"
)

func TestMarkRead(t *testing.T) {
	k := open(t)
	ann, bob := k.Member("ann"), k.Member("bob")
	k.fill(ann, 1, 100)
	k.fill(bob, 101, 5)
	remaining := func(a data.Actor, which inbox.Selection) int {
		t.Helper()
		n, err := k.inbox.MarkRead(storetest.Ctx, a, which)
		require.NoError(t, err)
		k.counted()
		return n
	}
	require.Equal(t, 99, remaining(ann, inbox.Selection{Item: 1}))
	require.Equal(t, 99, remaining(ann, inbox.Selection{Item: 1}), "once more changes nothing")
	require.Equal(t, 98, remaining(ann, inbox.Selection{Subject: 2*2 + 1}))
	require.Equal(t, 5, remaining(bob, inbox.Selection{Item: 3}), "somebody else's stays")
	require.Equal(t, 97, remaining(ann, inbox.Selection{Thread: 6, Newest: 10}), "what came later, nobody has seen")
	require.Equal(t, 96, remaining(ann, inbox.Selection{Thread: 6, Newest: 100}))
	require.Equal(t, 4, remaining(ann, inbox.Selection{Newest: 96}))
	require.NoError(t, k.Sessions.End(storetest.Ctx, ann))
	_, err := k.inbox.MarkRead(storetest.Ctx, ann, inbox.Selection{Newest: 100})
	require.Equal(t, data.Unauthenticated, data.ErrorCode(err))
	require.Equal(t, int64(4), k.One("SELECT unread FROM users WHERE username = 'ann'"))
}

func TestUndoReadAll(t *testing.T) {
	k := open(t)
	ann, bob := k.Member("ann"), k.Member("bob")
	k.fill(ann, 1, 10)
	k.fill(bob, 11, 3)
	read := func(a data.Actor, which inbox.Selection) {
		t.Helper()
		_, err := k.inbox.MarkRead(storetest.Ctx, a, which)
		require.NoError(t, err)
	}
	undo := func(a data.Actor, newest data.ID) int {
		t.Helper()
		remaining, err := k.inbox.UndoReadAll(storetest.Ctx, a, newest)
		require.NoError(t, err)
		k.counted()
		return remaining
	}
	unread := func() (ids []any) {
		for _, row := range k.Rows("SELECT id FROM inbox WHERE unread = 1 ORDER BY id") {
			ids = append(ids, row[0])
		}
		return ids
	}
	read(ann, inbox.Selection{Item: 2})
	read(ann, inbox.Selection{Thread: 6, Newest: 10})
	before := unread()
	require.Len(t, before, 11)
	read(ann, inbox.Selection{Newest: 8})
	require.Equal(t, 0, undo(bob, 8)-3, "somebody else's stays")
	require.Equal(t, 2, undo(ann, 7), "nothing was marked up to there")
	require.Equal(t, 8, undo(ann, 8))
	require.Equal(t, before, unread(), "just what was marked")
	read(ann, inbox.Selection{Item: 1})
	require.Equal(t, 7, undo(ann, 8), "what is read since stays")
	read(bob, inbox.Selection{Newest: 13})
	require.NoError(t, k.Sessions.End(storetest.Ctx, bob))
	_, err := k.inbox.UndoReadAll(storetest.Ctx, bob, 13)
	require.Equal(t, data.Unauthenticated, data.ErrorCode(err))
	require.Equal(t, int64(0), k.One("SELECT unread FROM users WHERE username = 'bob'"))
}
