package view

import (
	"context"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/content/posts"
	"plaza/data/events/inbox"
	"plaza/render/markdown"
	"plaza/worker/request"
)

// MarkSeen marks the member's inbox entries of a comment as read, because the page shows it. It writes after the response,
// so that the page does not wait for a second request. If that fails, the member sees them as unread once more, and nothing
// is lost.
func (v *Views) MarkSeen(c *request.Call, subject data.ID) {
	if !NotPrefetched(c) {
		return
	}
	v.SetFreshCookie(c)
	actor, request := *c.Actor, c.ID
	v.Background(c.R.Context(), func(ctx context.Context) {
		if _, err := v.Inbox.MarkRead(ctx, actor, inbox.Selection{Subject: subject}); err != nil {
			v.Log.WarnContext(ctx, "not marked as read", "request", request, "error", err)
		}
		v.DB.InvalidateMember(actor.UserID)
	})
}

// MarkSeenPost is MarkSeen for a post, which perhaps mentions the member. The page could not read that, because the
// directory does not know the post by its address. So it is read after the response, if the member's state does not rule it out: few posts
// mention their reader, and a write on each page would take the lock of the one writer. The same holds for what a member has reported.
// Another instance may count it as unread for data.MemberCacheTTL.
//
// The member's state may be up to data.MemberCacheTTL old, from before the member was notified. So it is ignored if the page itself shows
// that the member is concerned.
func (v *Views) MarkSeenPost(c *request.Call, post data.ID, concerned bool) {
	if !NotPrefetched(c) || c.Viewer == nil || !concerned && !c.Viewer.MayHaveUnread(post) {
		return
	}
	actor, request := *c.Actor, c.ID
	v.Background(c.R.Context(), func(ctx context.Context) {
		r := v.DB.Read()
		unread := v.Inbox.FindUnread(r, actor.UserID, post)
		err := r.Run(ctx)
		if err == nil && *unread {
			_, err = v.Inbox.MarkRead(ctx, actor, inbox.Selection{Subject: post})
			v.DB.InvalidateMember(actor.UserID)
		}
		if err != nil {
			v.Log.WarnContext(ctx, "not marked as read", "request", request, "error", err)
		}
	})
}

// Mentions reports whether the text of a post mentions the member, and another member has written it. It may be true for a text that only
// names the member. It does not know names that the member had before.
func Mentions(c *request.Call, post *posts.Post) bool {
	switch {
	case c.Viewer == nil || c.IsViewer(post.AuthorID):
		return false
	case post.TextPlain != "":
		return strings.Contains(strings.ToLower(post.TextPlain), strings.ToLower(c.Viewer.Name))
	}
	return markdown.LinksTo(post.TextHTML, c.Viewer.Name)
}

// NoteVisit records that the member has seen a thread. It writes after the response: before it, or together with what the
// page reads, the page would wait for the lock of the database's one writer. If it fails, some comments are marked as new
// once more.
func (v *Views) NoteVisit(c *request.Call, post data.ID, at time.Time) {
	if !NotPrefetched(c) {
		return
	}
	actor, request := *c.Actor, c.ID
	v.Background(c.R.Context(), func(ctx context.Context) {
		if err := v.Visits.Note(ctx, actor, post, at); err != nil {
			v.Log.WarnContext(ctx, "visit not noted", "request", request, "error", err)
		}
		v.DB.InvalidateMember(actor.UserID) // lists mark it as seen; on other instances after data.MemberCacheTTL
	})
}

// NotPrefetched reports whether a reader looks at the page. It is false if a browser prefetches it.
func NotPrefetched(c *request.Call) bool {
	return c.R.Method == "GET" && !strings.Contains(c.R.Header.Get("Sec-Purpose"), "prefetch")
}
