package inbox

import (
	"net/url"
	"strings"
	"time"

	"plaza/data"
)

// Item is one notification of a member.
type Item struct {
	ID        data.ID // of the row; a later one is greater
	Kind      string  // "reply", "mention" or "thread"
	Event     Event   // the decision; "" for texts of others
	About     data.ID // for a decision: the post, comment or member of the decision
	Subject   data.ID // the post or comment; for a decision the entry of the log
	Post      data.ID // its thread
	Community string
	Slug      string
	Title     string // of the thread
	Author    string // "" for a deleted account
	Avatar    string // the author's, as users.avatar
	Excerpt   string
	Unread    bool
	At        time.Time
	Watch     Watch // the thread's
}

// PostURL returns the address of the thread. If the notification has no thread, it is the address of the notification.
func (i *Item) PostURL() string {
	if i.Slug == "" {
		return i.URL()
	}
	if i.Title == removedTitle || i.Title == data.DeletedTitle { // the slug would reveal the title
		return data.PostURL(i.Post)
	}
	return "/c/" + i.Community + "/p/" + i.Slug
}

// URL returns the address of the post or comment, or of the target of the decision.
func (i *Item) URL() string {
	switch {
	case (i.Event == ReportRemoved || i.Event == ReportKept) && i.Community == "":
		return "/report?user=" + url.QueryEscape(i.Title)
	case i.Event == ReportRemoved || i.Event == ReportKept:
		return "/report?target=" + i.About.Text()
	case i.Event == NotPublished:
		return i.PostURL()
	case i.Event == FromModerators || i.Event == ToModerators:
		return "/messages/" + i.Post.Text()
	case i.Event != "":
		return "/decisions/" + i.Subject.Text()
	}
	if !i.Subject.IsComment() {
		return i.PostURL()
	}
	return i.PostURL() + "/" + i.Subject.Text()
}

// The lists of an inbox, which are the orders of their cursors.
const (
	ListAll      data.Order = 'i'
	ListUnread   data.Order = 'u'
	ListReplies  data.Order = 'a'
	ListMentions data.Order = 'p'
	ListEvents   data.Order = 'k'
)

const (
	itemColumns = `SELECT i.id, i.kind, i.subject_id, i.post_id, i.community_name, i.slug, i.title, a.username, a.avatar, i.excerpt, i.unread,
  i.created_at, i.event, i.about_id, ` + watchNow + `
FROM inbox i LEFT JOIN users a ON a.id = i.author_id LEFT JOIN watches w ON w.user_id = i.user_id AND w.post_id = i.post_id
  WHERE i.user_id = :member AND `
	inOrder = ` ORDER BY i.id DESC LIMIT :limit`

	// Index inbox_listed in its order (the list of all merges three ranges); index inbox_unread in its order. Then primary keys.
	inboxReplies  = itemColumns + `i.kind = 'reply' AND i.id < :before` + inOrder
	inboxEvents   = itemColumns + `i.event <> '' AND i.id < :before` + inOrder // index inbox_events
	inboxMentions = itemColumns + `i.kind = 'mention' AND i.id < :before` + inOrder
	inboxAll      = itemColumns + `i.kind = 'reply' AND i.id < :before UNION ALL ` + itemColumns +
		`i.kind = 'mention' AND i.id < :before UNION ALL ` +
		itemColumns + `i.kind = 'thread' AND i.id < :before ORDER BY 1 DESC LIMIT :limit`
	inboxUnread = itemColumns + `i.unread = 1 AND i.subject_id < :before ORDER BY i.subject_id DESC LIMIT :limit`
)

// Find reads a page of a member's inbox along with a page of the site. Lists begin with the newest notification, except the list of
// unread items, which begins with the newest comment.
func (s *Store) Find(r *data.Read, member data.ID, list data.Order, after data.Cursor, limit int) *data.Page[*Item] {
	sql := map[data.Order]string{ListAll: inboxAll, ListUnread: inboxUnread, ListReplies: inboxReplies, ListMentions: inboxMentions,
		ListEvents: inboxEvents}[list]
	_, before := data.KeysetFrom(after)
	scan := func(row *data.Row) (*Item, float64, data.ID) {
		i := &Item{ID: row.ID(), Kind: row.Text(), Subject: row.ID(), Post: row.ID(), Community: row.Text(), Slug: row.Text(), Title: row.Text(),
			Author: row.Text(), Avatar: row.Text(), Excerpt: row.Text(), Unread: row.Bool(), At: row.Time(),
			Event: Event(row.Text()), About: row.ID()}
		i.Watch = watchOf(row.Value())
		if list == ListUnread {
			return i, 0, i.Subject
		}
		return i, 0, i.ID
	}
	return data.NewPage[*Item](list, limit).Find(r, sql, data.Args{"member": member, "before": before}, scan)
}

// Index inbox_unread.
const unreadSubject = `SELECT EXISTS (SELECT 1 FROM inbox WHERE user_id = :viewer AND subject_id = :subject AND unread = 1)`

// FindUnread reads along with a page whether the member has an unread notification of a comment.
func (s *Store) FindUnread(r *data.Read, viewer, subject data.ID) *bool {
	unread := new(bool)
	if viewer != 0 && subject != 0 {
		r.FindCached(subject.Text(), unreadSubject, data.Args{"viewer": viewer, "subject": subject},
			func(row *data.Row) { *unread = row.Bool() })
	}
	return unread
}

// pathOf returns a thread's address.
func pathOf(community, slug string) string { return strings.ToLower(community) + "/" + slug }
