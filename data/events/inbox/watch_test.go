package inbox_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/posts"
	"plaza/data/events/inbox"
	"plaza/test/storetest"
)

func TestWatch(t *testing.T) {
	k := open(t)
	ann := k.Member("ann")
	k.Community(ann, "Gophers")
	post := k.Post(ann, "gophers", "A post")
	find := func() inbox.Watch {
		r := k.DB.Read()
		w := k.inbox.FindWatch(r, ann.UserID, "gophers", post.Slug)
		require.NoError(t, r.Run(storetest.Ctx))
		return *w
	}
	for _, to := range []inbox.Watch{inbox.Followed, inbox.Muted, inbox.Muted, inbox.Followed, inbox.Usual, inbox.Usual} {
		url, err := k.inbox.Watch(storetest.Ctx, ann, post.ID, to)
		require.NoError(t, err)
		require.Equal(t, post.URL(), url)
		require.Equal(t, to, find())
	}
	draft, err := k.Posts.Create(storetest.Ctx, ann, posts.Create{Community: "gophers", Title: "Later", Text: "x", Status: posts.Draft})
	require.NoError(t, err)
	for _, id := range []data.ID{draft.ID, post.ID + 2, post.ID + 1} {
		_, err := k.inbox.Watch(storetest.Ctx, ann, id, inbox.Followed)
		require.Equal(t, data.NotFound, data.ErrorCode(err))
	}
	require.NoError(t, k.Sessions.End(storetest.Ctx, ann))
	_, err = k.inbox.Watch(storetest.Ctx, ann, post.ID, inbox.Followed)
	require.Equal(t, data.Unauthenticated, data.ErrorCode(err))
}
