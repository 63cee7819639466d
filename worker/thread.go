package worker

import (
	"strings"
	"time"

	"plaza/data"
	"plaza/render"
)

// threadView turns a page of a thread into the tree that is shown.
type threadView struct {
	c      *call
	post   *data.Post
	thread *data.Thread
	query  data.ThreadQuery
	now    time.Time
}

// address is the page of the thread, or of one comment's part of it, in an order.
func (v *threadView) address(parent data.ID, order data.Order) string {
	u := v.post.URL()
	if parent != 0 {
		u += "/" + parent.Text()
	}
	if order == data.OrderNew {
		u += "?sort=new"
	}
	return u
}

func (v *threadView) addressAfter(parent data.ID, after data.Cursor) string {
	u := v.address(parent, v.query.Order)
	if strings.Contains(u, "?") {
		return u + "&after=" + after.String()
	}
	return u + "?after=" + after.String()
}

// firstLevel is what the page asked for, with what is shown below, and the stub of
// the rest.
func (v *threadView) firstLevel() ([]*render.Comment, *render.More) {
	shown := v.thread.Under(v.query.Parent)
	comments := v.comments(shown, 1)
	after := v.thread.Next()
	if after.IsZero() {
		return comments, nil
	}
	total := v.post.Comments
	if v.thread.Top != nil {
		total = v.thread.Top.Descendants
	}
	more := &render.More{URL: v.addressAfter(v.query.Parent, after)}
	if v.query.After.IsZero() { // of a later page it isn't known how many came before
		more.Count = max(total-covered(shown), 1)
	}
	return comments, more
}

// covered is how many comments these are with everything below them.
func covered(shown []*data.Comment) int64 {
	n := int64(len(shown))
	for _, m := range shown {
		n += m.Descendants
	}
	return n
}

func (v *threadView) comments(list []*data.Comment, level int) []*render.Comment {
	views := make([]*render.Comment, len(list))
	for i, m := range list {
		views[i] = v.comment(m, level)
	}
	return views
}

func (v *threadView) comment(m *data.Comment, level int) *render.Comment {
	view := v.c.commentView(m, v.post)
	view.Now = v.now
	if level == 0 { // the comment of a permalink: its replies are the first level
		return view
	}
	shown := v.thread.Under(m.ID)
	view.Replies = v.comments(shown, level+1)
	rest := m.Descendants - covered(shown)
	switch {
	case rest <= 0:
	case len(shown) == 0:
		view.More = &render.More{URL: v.address(m.ID, v.query.Order), Count: rest, Continue: true}
	case int64(len(shown)) < m.Replies:
		view.More = &render.More{URL: v.addressAfter(m.ID, v.thread.NextUnder(m.ID)), Count: rest}
	}
	return view
}
