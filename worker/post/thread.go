package post

import (
	"strconv"
	"time"

	"plaza/data"
	"plaza/data/content/comments"
	"plaza/data/content/posts"
	pages "plaza/render/post"
	"plaza/render/ui"
	"plaza/worker/request"
	"plaza/worker/view"
)

// threadQuery reads from the address which part of which thread to show. ?sort= is the order, or defaultThreadOrder if there is
// none. ?after= is the cursor of a stub. Invalid.
func threadQuery(c *request.Call) (comments.Query, error) {
	query := c.R.URL.Query()
	q := comments.Query{Community: c.R.PathValue("community"), Slug: c.R.PathValue("slug"), Order: defaultThreadOrder(c), Viewer: c.ViewerID(),
		Uncached: c.ByToken} // a program keeps no cookie that says when it has written
	if sort := query.Get("sort"); sort != "" {
		if i := data.OrderNamed(data.ThreadOrders, sort); i >= 0 {
			q.Order = data.ThreadOrders[i].Order
		} else if err := c.UnknownOrder("A thread", data.ThreadOrders); err != nil {
			return q, err
		}
	}
	var err error
	if text := c.R.PathValue("comment"); text != "" {
		if q.Parent, err = data.ParseID(text); err != nil {
			return q, err
		}
	}
	q.After, err = data.ParseCursor(byte(q.Order), query.Get("after"))
	return q, err
}

// threadView makes the view model of a page of a thread: the tree of comments that is shown.
type threadView struct {
	c      *request.Call
	post   *posts.Post
	thread *comments.Page
	query  comments.Query
	now    time.Time

	postURL, sort string    // what all addresses have in common
	since         time.Time // comments after it are new to the viewer; zero: none is
	rows          view.CommentTemplates
	views         []ui.Comment
	lists         []*ui.Comment
}

// newThreadView allocates the views of all comments of a page at once, because there are hundreds.
func newThreadView(c *request.Call, post *posts.Post, thread *comments.Page, query comments.Query, now time.Time) *threadView {
	n := thread.Len() + len(thread.Above) + len(thread.Waiting) + 1
	sort := sortQuery(c, query.Order)
	return &threadView{c: c, post: post, thread: thread, query: query, now: now, postURL: post.URL(), sort: sort,
		rows: view.NewCommentTemplates(c, post, sort), views: make([]ui.Comment, 0, n), lists: make([]*ui.Comment, 0, n)}
}

// defaultThreadOrder is the order of an address without one.
func defaultThreadOrder(c *request.Call) data.Order {
	return data.ThreadOrders[max(0, data.OrderNamed(data.ThreadOrders, c.DefaultOrders().Comments))].Order
}

// sortQuery is the query that names an order in an address; "" for best, unless the caller has chosen another order.
func sortQuery(c *request.Call, order data.Order) string {
	for _, o := range data.ThreadOrders {
		if o.Order == order && (order != data.OrderBest || defaultThreadOrder(c) != data.OrderBest) {
			return "?sort=" + o.Name
		}
	}
	return ""
}

// fragment reports whether the page's script requests comments to replace a stub.
func (v *threadView) fragment() bool {
	return v.c.Fragment() && (v.query.Parent != 0 || !v.query.After.IsZero())
}

// address is the address of the thread, or of one comment's part of it, in an order.
func (v *threadView) address(parent data.ID, sort string) string {
	if parent == 0 {
		return v.postURL + sort
	}
	return v.postURL + "/" + parent.Text() + sort
}

// addressAfter is the address of what follows a cursor in the page's order. remaining is how many comments follow, 0 if
// that isn't known. It is in the address, because the next page could not know it without reading them all.
func (v *threadView) addressAfter(parent data.ID, after data.Cursor, remaining int64) string {
	param := "?after="
	if v.sort != "" {
		param = "&after="
	}
	u := v.address(parent, v.sort) + param + after.String()
	if remaining > 0 {
		u += "&left=" + strconv.FormatInt(remaining, 10)
	}
	return u
}

// total is how many comments there are from the first of this page to the end; 0 when that isn't known.
func (v *threadView) total() int64 {
	switch {
	case !v.query.After.IsZero():
		remaining, err := strconv.ParseInt(v.c.R.URL.Query().Get("left"), 10, 64)
		if err != nil {
			return 0
		}
		return remaining
	case v.thread.Top != nil:
		return v.thread.Top.Descendants
	}
	return v.post.Comments
}

// firstLevel returns the first level of the page's comments, each with the replies that are shown below it, and the
// stub of the rest.
func (v *threadView) firstLevel() ([]*ui.Comment, *ui.More) {
	shown := v.thread.Under(v.query.Parent)
	comments := v.comments(shown, 1)
	after := v.thread.Next()
	if after.IsZero() {
		return comments, nil
	}
	var remaining int64
	if total := v.total(); total > 0 {
		remaining = max(total-covered(shown), 1) // counts lag, but at least one comment follows
	}
	return comments, &ui.More{URL: v.addressAfter(v.query.Parent, after, remaining), Count: remaining}
}

// covered is the number of these comments and of all replies below them, shown or not.
func covered(shown []*comments.Comment) int64 {
	n := int64(len(shown))
	for _, m := range shown {
		n += m.Descendants
	}
	return n
}

// comments makes the views of siblings and of what is shown below them. level is theirs, from 1.
func (v *threadView) comments(list []*comments.Comment, level int) []*ui.Comment {
	start := len(v.lists)
	for _, m := range list {
		v.lists = append(v.lists, v.comment(m))
	}
	views := v.lists[start:len(v.lists):len(v.lists)]
	for i, m := range list {
		v.replies(views[i], m, level)
	}
	return views
}

// comment makes the view of a comment, from a template if possible.
func (v *threadView) comment(m *comments.Comment) *ui.Comment {
	m = v.thread.Of(m)
	shown := v.next()
	if !v.isNew(m) && v.rows.Fill(shown, m) {
		shown.Now = v.now
		return shown
	}
	return v.fillWhole(shown, m)
}

// next returns an empty view of v.views. Appending one would copy it, and a page has hundreds.
func (v *threadView) next() *ui.Comment {
	if len(v.views) == cap(v.views) {
		return &ui.Comment{}
	}
	v.views = v.views[:len(v.views)+1]
	return &v.views[len(v.views)-1]
}

// whole makes the view of a comment with all its fields.
func (v *threadView) whole(m *comments.Comment) *ui.Comment { return v.fillWhole(v.next(), m) }

// fillWhole is whole for a view that next has returned.
func (v *threadView) fillWhole(shown *ui.Comment, m *comments.Comment) *ui.Comment {
	*shown = ui.Comment{PostURL: v.postURL}
	view.ViewComment(v.c, shown, m, v.post)
	shown.Query, shown.Now, shown.New = v.sort, v.now, v.isNew(m)
	return shown
}

// isNew reports whether a comment is public, by another member, and newer than the viewer's last visit.
func (v *threadView) isNew(m *comments.Comment) bool {
	return !v.since.IsZero() && m.CreatedAt.After(v.since) && !v.c.IsViewer(m.AuthorID) && m.Status == "published"
}

// replies adds what is shown below a comment, and the stub of the rest. Below the last level of a page, the stub
// leads to the comment's own page; elsewhere the script opens it in place.
func (v *threadView) replies(to *ui.Comment, m *comments.Comment, level int) {
	shown := v.thread.Under(m.ID)
	to.Replies = v.comments(shown, level+1)
	remaining := m.Descendants - covered(shown)
	switch {
	case remaining <= 0:
	case len(shown) == 0:
		to.More = &ui.More{URL: v.address(m.ID, v.sort), Count: remaining, Continue: level >= comments.Levels}
	default:
		to.More = &ui.More{URL: v.addressAfter(m.ID, v.thread.NextUnder(m.ID), remaining), Count: remaining}
	}
}

// tabs returns links to the same page in each order.
func (v *threadView) tabs() (tabs []ui.Tab) {
	for _, o := range data.ThreadOrders {
		tabs = append(tabs, ui.Tab{Label: o.Label, URL: v.address(v.query.Parent, sortQuery(v.c, o.Order)), Active: o.Order == v.query.Order})
	}
	return tabs
}

// fill puts the thread into its page. On the page of one comment, the first level is below that comment, and that below
// the comments it replies to.
func (v *threadView) fill(p *pages.PostPage) {
	p.Comments, p.More = v.firstLevel()
	for _, m := range v.thread.Waiting {
		p.Waiting = append(p.Waiting, v.comment(m))
	}
	p.FullURL, p.Permalink, p.Later = v.address(0, v.sort), v.query.Parent != 0, !v.query.After.IsZero()
	if len(p.Comments) > 1 || p.Later {
		p.Sorts = v.tabs()
	}
	if v.thread.Top == nil {
		return
	}
	top := v.whole(v.thread.Top)
	top.Highlight, top.Replies, top.More = true, p.Comments, p.More
	above := v.thread.Top
	for _, above = range v.thread.Above {
		view := v.whole(v.thread.Of(above))
		view.Context, view.Replies = true, []*ui.Comment{top}
		top = view
	}
	if above.ParentID != 0 {
		p.AboveURL = v.address(above.ParentID, v.sort)
	}
	p.Comments, p.More = []*ui.Comment{top}, nil
}

// linkNext links each new comment of the page to the next one, in the order of the page. It returns the id of the first, and
// how many there are.
func linkNext(comments []*ui.Comment) (first string, n int64) {
	var last *ui.Comment
	var walk func([]*ui.Comment)
	walk = func(list []*ui.Comment) {
		for _, c := range list {
			if c.New {
				if n++; last == nil {
					first = c.ID
				} else {
					last.NextNew = c.ID
				}
				last = c
			}
			walk(c.Replies)
		}
	}
	walk(comments)
	return first, n
}
