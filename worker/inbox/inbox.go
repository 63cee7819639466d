package inbox

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"plaza/data"
	"plaza/data/events/inbox"
	"plaza/data/events/outbox"
	"plaza/locale"
	pages "plaza/render/inbox"
	"plaza/render/markdown"
	"plaza/render/ui"
	"plaza/worker/decision"
	"plaza/worker/request"
	"plaza/worker/view"
)

const (
	// inboxPage is how many entries a page of the inbox lists.
	inboxPage = 30
	// inboxExcerpt is how many characters of a text it shows.
	inboxExcerpt = 200
)

// inboxLists are the lists of an inbox, as tabs.
var inboxLists = []struct {
	list  data.Order
	label locale.Text
	url   string
	empty locale.Text
}{
	{inbox.ListAll, "All", "/inbox",
		"Nothing yet. Replies to you, mentions of you and messages of moderators appear here."},
	{inbox.ListUnread, "Unread", "/inbox/unread", "No unread messages."},
	{inbox.ListReplies, "Replies", "/inbox/replies", "No replies yet."},
	{inbox.ListEvents, "Moderation", "/inbox/moderation", "Nothing from moderators yet. Their messages and decisions appear here."},
	{inbox.ListMentions, "Mentions", "/inbox/mentions", "No mentions yet. A mention is your name with @ or u/ before it."},
}

// ShowInbox is one of inboxLists, by its address.
func (h *Handlers) ShowInbox(c *request.Call) error {
	p := pages.InboxPage{}
	list, address := inbox.ListAll, "/inbox"
	for _, l := range inboxLists {
		active := l.url == c.R.URL.Path
		p.Tabs = append(p.Tabs, ui.Tab{Label: l.label, URL: l.url, Active: active})
		if active {
			list, address, p.Empty = l.list, l.url, ui.Nothing(l.empty, "Inbox", "/inbox")
		}
	}
	if list == inbox.ListAll {
		p.Empty.Next = ui.Tab{Label: "Front page", URL: "/"}
	}
	after, err := data.ParseCursor(byte(list), c.R.URL.Query().Get("after"))
	if err != nil {
		return err
	}
	r := c.Read()
	if text := c.R.URL.Query().Get("read"); text != "" {
		id, err := data.ParseID(text)
		if err != nil {
			return err
		}
		p.ReadTo = id.Text()
	}
	page := h.Inbox.Find(r, c.ViewerID(), list, after, inboxPage)
	invitations := h.Communities.FindInvitations(r, c.ViewerID())
	if err := c.Run(r); err != nil {
		return err
	}
	var newest data.ID
	for _, item := range page.Items() {
		newest = max(newest, item.ID)
	}
	p.Threads, p.Newest = inboxThreads(c, page.Items()), newest.Text()
	for _, i := range *invitations {
		p.Invitations = append(p.Invitations, view.InvitationView(i.Community, i.Role, i.By))
	}
	if next := page.Next(); !next.IsZero() {
		p.NextURL = address + "?after=" + next.String()
	}
	if !after.IsZero() {
		p.FirstURL = address
	}
	p.Frame = c.Frame("Inbox")
	return request.Show(c, http.StatusOK, pages.Inbox, p)
}

// inboxThreads groups a page of an inbox by thread. Threads are in the order of their first item on the page.
func inboxThreads(c *request.Call, items []*inbox.Item) (threads []*pages.InboxThread) {
	byPost := map[data.ID]*pages.InboxThread{}
	for _, item := range items {
		if item.Event == inbox.ToModerators && !c.Actor.Roles.May(item.Community) { // the program sees only that there is an entry
			item.Title, item.Author, item.Avatar, item.Excerpt = "", "", "", ""
		}
		t := byPost[item.Post]
		if t == nil {
			t = &pages.InboxThread{Community: item.Community, URL: item.PostURL(), Title: item.Title,
				Watch: ui.Watch{Target: item.Post.Text(), State: string(item.Watch)}, NoThread: item.Slug == ""}
			if data.IsProfile(item.Community) {
				t.Community = ""
			}
			byPost[item.Post] = t
			threads = append(threads, t)
		}
		v := pages.InboxItem{ID: item.ID.Text(), URL: item.URL(), Kind: item.Kind, Comment: item.Subject.IsComment(),
			Event:  decision.EventText(item),
			Author: item.Author, Avatar: view.AvatarOf(item.Avatar),
			Excerpt: decision.Excerpt(item), Unread: item.Unread, At: item.At}
		if item.Event == "" {
			v.ReplyTo = item.Subject.Text()
		}
		t.Items = append(t.Items, v)
		if v.Unread {
			t.Unread++
		}
	}
	return threads
}

var errNothingToRead = &data.Error{Code: data.Invalid, Field: "item", Message: "Please say what you have read: item for one thing, " +
	"thread and newest for all in a thread, newest alone for everything."}

// MarkRead marks one entry of the member's inbox as read, all entries of a thread, or all up to the newest.
func (h *Handlers) MarkRead(c *request.Call) error {
	var which inbox.Selection
	for name, id := range map[string]*data.ID{"item": &which.Item, "thread": &which.Thread, "newest": &which.Newest} {
		if text := c.Value(name); text != "" {
			var err error
			if *id, err = data.ParseID(text); err != nil {
				return errNothingToRead
			}
		}
	}
	if which.Item == 0 && which.Newest == 0 {
		return errNothingToRead
	}
	remaining, err := h.Inbox.MarkRead(c.R.Context(), *c.Actor, which)
	if err != nil {
		return err
	}
	to := c.CameFromPage(0, "/inbox")
	if which.Item == 0 && which.Thread == 0 {
		to = "/inbox?read=" + which.Newest.Text()
	}
	return c.Done(to, map[string]any{"unread": remaining})
}

// UndoReadAll undoes marking all entries up to the newest as read.
func (h *Handlers) UndoReadAll(c *request.Call) error {
	newest, err := data.ParseID(c.Value("newest"))
	if err != nil {
		return data.Mistake("newest", "Please say up to which entry everything was marked as read.")
	}
	remaining, err := h.Inbox.UndoReadAll(c.R.Context(), *c.Actor, newest)
	if err != nil {
		return err
	}
	return c.Done("/inbox", map[string]any{"unread": remaining})
}

// Watch follows or mutes a thread for the member, or ends that.
func (h *Handlers) Watch(c *request.Call) error {
	target, err := request.TargetOf(c)
	if err != nil {
		return err
	}
	to := inbox.Usual
	switch c.Value("watch") {
	case "follow":
		to = inbox.Followed
	case "mute":
		to = inbox.Muted
	case "none":
	default:
		return &data.Error{Code: data.Invalid, Field: "watch", Message: "watch is follow, mute or none."}
	}
	url, err := h.Inbox.Watch(c.R.Context(), *c.Actor, target, to)
	if err != nil {
		return err
	}
	if c.Fragment() && !c.WantsJSON() {
		return request.Show(c, http.StatusOK, ui.WatchFragment, ui.Watch{Target: target.Text(), State: string(to)})
	}
	return c.Done(c.CameFromPage(0, url), map[string]any{"id": target, "watch": c.Value("watch")})
}

func (h *Handlers) ConsumeNotify(ctx context.Context, ids []data.ID) (missed []data.ID, err error) {
	return h.consumeNews(ctx, outbox.JobNotify, ids)
}

func (h *Handlers) ConsumeUpdate(ctx context.Context, ids []data.ID) (missed []data.ID, err error) {
	if err := errors.Join(h.Moderation.UpdateCrossposts(ctx, ids), h.Posts.UpdateCopies(ctx, ids)); err != nil {
		return ids, err
	}
	return h.consumeNews(ctx, outbox.JobUpdate, ids)
}

// consumeNews notifies members of posts and comments. It returns the targets on shards that did not respond. A job that fails
// later is due again, and the retry job sends its message.
func (h *Handlers) consumeNews(ctx context.Context, job outbox.Job, subjects []data.ID) (missed []data.ID, err error) {
	for chunk := range slices.Chunk(subjects, newsBatch) {
		news, unavailable, failed := h.Inbox.Claim(ctx, job, chunk)
		for _, n := range news {
			n.Names, n.Excerpt = markdown.Mentions(n.Body, inbox.MentionsMax), data.Line(markdown.PlainExcerpt(n.Body, inboxExcerpt))
		}
		missed, err = append(missed, unavailable...), errors.Join(err, failed, h.Inbox.Notify(ctx, news))
	}
	if len(subjects) > len(missed) {
		err = errors.Join(err, h.EnqueueInboxMails(ctx), h.SendPushes(ctx))
	}
	return missed, err
}

func (h *Handlers) ConsumeDecided(ctx context.Context, entries []data.ID) (missed []data.ID, err error) {
	return h.consumeEvents(ctx, entries, h.Inbox.NotifyDecided)
}

func (h *Handlers) ConsumeReported(ctx context.Context, targets []data.ID) (missed []data.ID, err error) {
	return h.consumeEvents(ctx, targets, h.Inbox.NotifyReported)
}

func (h *Handlers) ConsumeNotPublished(ctx context.Context, posts []data.ID) (missed []data.ID, err error) {
	return h.consumeEvents(ctx, posts, h.Inbox.NotifyNotPublished)
}

func (h *Handlers) ConsumeQuarantined(ctx context.Context, cases []data.ID) (missed []data.ID, err error) {
	return h.consumeEvents(ctx, cases, h.Inbox.NotifyQuarantined)
}

// consumeEvents notifies members of events. It returns the ids in databases that did not respond.
func (h *Handlers) consumeEvents(ctx context.Context, ids []data.ID, notify func(context.Context, []data.ID) ([]data.ID,
	error)) (missed []data.ID, err error) {
	if len(ids) == 0 {
		return nil, nil
	}
	missed, err = notify(ctx, ids)
	if len(ids) > len(missed) {
		err = errors.Join(err, h.EnqueueInboxMails(ctx), h.SendPushes(ctx))
	}
	return missed, err
}

// newsBatch is how many posts or comments are read at once: with the longest texts, the database's response has half of
// the size that the edge accepts.
const newsBatch = 25
