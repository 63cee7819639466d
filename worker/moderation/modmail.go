package moderation

import (
	"cmp"
	"context"
	"math"
	"net/http"
	"net/url"
	"slices"

	"plaza/data"
	"plaza/data/content/comments"
	"plaza/data/content/communities"
	"plaza/data/content/posts"
	"plaza/data/events/inbox"
	"plaza/data/events/modlog"
	"plaza/data/moderation/modmail"
	"plaza/locale"
	"plaza/render/markdown"
	pages "plaza/render/moderation"
	"plaza/render/ui"
	"plaza/worker/request"
	"plaza/worker/view"
)

// mailPageLength is how many conversations a page lists.
const mailPageLength = 25

// conversationLines are the lines of a list.
func conversationLines(page *data.Page[modmail.Line]) (lines []pages.ConversationLine) {
	for _, l := range page.Items() {
		lines = append(lines, pages.ConversationLine{URL: request.ConversationURL(l.ID), Community: l.Community, Member: l.Member,
			Subject: l.Subject, Status: string(l.Status), ClosedByMember: l.ClosedByMember,
			TakenBy: l.TakenBy, At: l.SaidAt, Appeal: l.Appeal, Verdict: string(l.Verdict), AboutURL: l.About, Said: l.Excerpt,
			Unread: l.Unread})
	}
	return lines
}

// ShowConversations lists the member's own conversations with moderators.
func (h *Handlers) ShowConversations(c *request.Call) error {
	after, err := data.ParseCursor(byte(modmail.Order), c.R.URL.Query().Get("after"))
	if err != nil {
		return err
	}
	r := c.Read()
	page := h.Modmail.FindOfMember(r, c.ViewerID(), after, mailPageLength)
	if err := c.Run(r); err != nil {
		return err
	}
	p := pages.ConversationsPage{Lines: conversationLines(page), Own: true}
	if next := page.Next(); !next.IsZero() {
		p.NextURL = request.ConversationsURL + "?after=" + next.String()
	}
	if !after.IsZero() {
		p.FirstURL = request.ConversationsURL
	}
	p.Frame = c.Frame("Messages")
	return request.Show(c, http.StatusOK, pages.Conversations, p)
}

// mailList is one of the lists of conversations that moderators have, as a tab.
type mailList struct {
	name   string
	label  locale.Text
	status modmail.Status // "" for open ones in which the viewer was the last moderator to reply
}

var mailLists = []mailList{{"", "Open", modmail.Open}, {"mine", "Mine", ""}, {"answered", "Answered", modmail.Answered},
	{"closed", "Closed", modmail.Closed}}

// ShowModMail lists the conversations of a community's moderators.
func (h *Handlers) ShowModMail(c *request.Call) error {
	return h.mailPage(c, c.R.PathValue("community"))
}

// ShowAdminMail lists the conversations of the administrators.
func (h *Handlers) ShowAdminMail(c *request.Call) error { return h.mailPage(c, "") }

func (h *Handlers) mailPage(c *request.Call, name string) error {
	q := c.R.URL.Query()
	chosen := max(slices.IndexFunc(mailLists, func(l mailList) bool { return l.name == q.Get("show") }), 0)
	after, err := data.ParseCursor(byte(modmail.Order), q.Get("after"))
	if err != nil {
		return err
	}
	r := c.Read()
	var community *communities.Community
	if name != "" {
		community = h.Communities.FindByName(r, name, c.ViewerID())
	}
	counts := h.FindModCounts(c, r, name)
	page := h.Modmail.FindOf(r, c.ViewerID(), name, mailLists[chosen].status, after, mailPageLength)
	if err := c.Run(r); err != nil {
		return err
	}
	p := pages.ConversationsPage{Lines: conversationLines(page)}
	title, address := locale.Text("Messages to the administrators"), request.AdminMailURL
	if community != nil {
		if community.ID == 0 {
			return request.ErrNoCommunity
		}
		p.Community, title, address = view.CommunityView(community), locale.With("Messages to the moderators of c/{}", community.Name),
			request.ModMailURL(community.Name)
		p.Nav = view.ModNav(c, p.Community, counts, address)
	} else {
		p.Nav = view.SiteModNav(c, address)
	}
	listURL := func(show, after string) string {
		params := url.Values{}
		if show != "" {
			params.Set("show", show)
		}
		if after != "" {
			params.Set("after", after)
		}
		if len(params) == 0 {
			return address
		}
		return address + "?" + params.Encode()
	}
	for n, l := range mailLists {
		p.Tabs = append(p.Tabs, ui.Tab{Label: l.label, URL: listURL(l.name, ""), Active: n == chosen})
	}
	if next := page.Next(); !next.IsZero() {
		p.NextURL = listURL(mailLists[chosen].name, next.String())
	}
	if !after.IsZero() {
		p.FirstURL = listURL(mailLists[chosen].name, "")
	}
	if !c.WantsJSON() { // programs get the documented order, by the newest message
		slices.SortStableFunc(p.Lines, func(a, b pages.ConversationLine) int { return cmp.Compare(rank(b.Unread), rank(a.Unread)) })
	}
	p.Handled = handled(c)
	p.Frame = c.Frame(title)
	return request.Show(c, http.StatusOK, pages.Conversations, p)
}

// ShowNewMessage is the form by which a member writes to moderators, or a moderator to a member.
func (h *Handlers) ShowNewMessage(c *request.Call) error {
	return h.newMessagePage(c, http.StatusOK, ui.Form{Values: map[string]string{}, Errors: map[string]locale.Text{}})
}

func (h *Handlers) newMessagePage(c *request.Call, status int, f ui.Form) error {
	if err := c.Parse(); err != nil {
		return err
	}
	r := c.Read()
	h.Communities.FindColourChanges(r)
	about, err := h.thingOf(c, r)
	if err != nil {
		return err
	}
	if err := c.Run(r); err != nil {
		return err
	}
	p := pages.NewMessagePage{To: c.Value("user"), Target: c.Value("target"), Form: f}
	name := c.Value("community")
	if thing := about(); thing.url != "" {
		p.Title, p.URL = thing.title, thing.url
	}
	if name != "" {
		p.Community = c.CommunityHeader(name)
	}
	p.Frame = c.Frame("Write a message")
	return request.Show(c, status, pages.NewMessage, p)
}

// thing is what a message is about. The title is empty for a member's own comment in a deleted or removed thread.
type thing struct{ title, url string }

// thingOf reads the post or comment in the field target along with a page. It is zero if the member may not see it.
func (h *Handlers) thingOf(c *request.Call, r *data.Read) (func() thing, error) {
	target, err := request.OptionalID(c.Value("target"))
	if err != nil || target == 0 {
		return func() thing { return thing{} }, err
	}
	post, comment := &posts.Source{}, &comments.Source{}
	if target.IsComment() {
		comment = h.Comments.FindSource(r, target)
	} else {
		post = h.Posts.FindSource(r, target)
	}
	return func() thing {
		switch {
		case target.IsComment() && comment.Post.Status != "published" && comment.Post.Status != "archived":
			if c.IsViewer(comment.AuthorID) { // the title of a deleted thread is not shown
				return thing{"", comment.URL()}
			}
			return thing{}
		case target.IsComment() && (comment.Status == "published" || c.IsViewer(comment.AuthorID)):
			return thing{comment.Post.Title, comment.URL()}
		case post.Status == "published" || post.Status == "archived" || post.Status != "" && c.IsViewer(post.AuthorID):
			return thing{post.Title, post.URL()}
		}
		return thing{}
	}, nil
}

// BeginConversation sends the first message.
func (h *Handlers) BeginConversation(c *request.Call) error {
	r := h.DB.Read()
	about, err := h.thingOf(c, r)
	if err != nil {
		return err
	}
	ban := h.Bans.FindOfMember(r, c.Value("community"), c.ViewerID())
	if err := r.Run(c.R.Context()); err != nil {
		return err
	}
	if ban.Kind == modlog.Ban {
		return h.RefuseNewMessage(c, ban.Err())
	}
	id, err := h.Modmail.Begin(c.R.Context(), *c.Actor, modmail.NewConversation{Community: c.Value("community"), To: c.Value("user"),
		Subject: c.Value("title"),
		About:   about().url, Text: c.Value("text")})
	if err != nil {
		return h.RefuseNewMessage(c, err)
	}
	h.SendNotifications(c)
	return c.Done(request.ConversationURL(id), map[string]any{"id": id, "permalink": request.ConversationURL(id)})
}

// RefuseNewMessage shows the form again.
func (h *Handlers) RefuseNewMessage(c *request.Call, err error) error {
	return request.RefuseFound(c, c.ErrRoles(err), h.newMessagePage, []string{"title", "text"})
}

// ShowConversation is a conversation, for its member or its moderators.
func (h *Handlers) ShowConversation(c *request.Call) error {
	return h.conversationPage(c, http.StatusOK, ui.Form{Values: map[string]string{}, Errors: map[string]locale.Text{}})
}

func (h *Handlers) conversationPage(c *request.Call, status int, f ui.Form) error {
	id, err := data.ParseID(c.R.PathValue("conversation"))
	if err != nil {
		return err
	}
	r := c.Read()
	h.Communities.FindColourChanges(r)
	found := h.Modmail.Find(r, *c.Actor, id)
	if err := c.Run(r); err != nil {
		return err
	}
	if found.Refused != nil {
		return c.ErrRoles(found.Refused)
	}
	if found.ID == 0 {
		return &data.Error{Code: data.NotFound, Message: "There is no such conversation of yours."}
	}
	p := pages.ConversationPage{URL: request.ConversationURL(id), Subject: found.Subject, Member: found.Member, AboutURL: found.About,
		Status: string(found.Status), ClosedByMember: found.ClosedByMember, Own: found.Own, Form: f}
	p.ListURL = request.ConversationsURL
	if found.Community != "" {
		p.Community = c.CommunityHeader(found.Community)
	}
	if !found.Own {
		p.ListURL = request.AdminMailURL
		if found.Community != "" {
			p.ListURL = request.ModMailURL(found.Community)
			p.CardURL = request.MemberCardURL(found.Community, found.MemberID, found.Member)
		}
	}
	if found.Decision != 0 {
		p.Verdict, p.DecisionURL = string(found.Verdict), "/decisions/"+found.Decision.Text()
		if !found.Own && found.Verdict == "" {
			p.JudgeURL = request.ConversationURL(id) + "/verdict"
		}
	}
	p.Messages = messagesOf(found)
	for i := range p.Messages {
		if c.Viewer.Admin && p.Messages[i].Text != "" {
			p.Messages[i].EraseURL = "/admin/erase?message=" + p.Messages[i].ID
		}
	}
	if !found.Own && !c.WantsJSON() {
		if err := h.fillCase(c, &p, found); err != nil {
			return err
		}
	}
	if found.Unread && view.NotPrefetched(c) {
		h.markConversation(c, id)
	}
	p.Frame = c.Frame(locale.Verbatim(found.Subject))
	return request.Show(c, status, pages.Conversation, p)
}

// messagesOf are the messages of a conversation.
func messagesOf(c *modmail.Conversation) (list []ui.ConversationMessage) {
	for _, m := range c.Messages {
		list = append(list, ui.ConversationMessage{ID: m.ID.Text(), Side: m.Side, Author: m.Author, Text: m.Text,
			HTML: markdown.HTML(view.MessageHTML(m.Text)), At: m.At()})
	}
	return list
}

// markConversation marks the member's inbox entries of a conversation as read, after the response.
func (h *Handlers) markConversation(c *request.Call, id data.ID) {
	h.SetFreshCookie(c)
	actor := *c.Actor
	h.Background(c.R.Context(), func(ctx context.Context) {
		if _, err := h.Inbox.MarkRead(ctx, actor, inbox.Selection{Thread: id, Newest: math.MaxInt64}); err != nil {
			h.Log.WarnContext(ctx, "not marked as read", "error", err)
		}
		h.DB.InvalidateMember(actor.UserID)
	})
}

// WriteMessage adds a message or a note to a conversation, closes it, or reopens it. A message may be one of the offered replies.
func (h *Handlers) WriteMessage(c *request.Call) error {
	id, err := data.ParseID(c.R.PathValue("conversation"))
	if err != nil {
		return err
	}
	do, to := c.Value("do"), request.ConversationURL(id)
	switch do {
	case "close":
		err, to = h.Modmail.Close(c.R.Context(), *c.Actor, id), onward(c, id, do)
	case "reopen":
		err = h.Modmail.Reopen(c.R.Context(), *c.Actor, id)
	case "":
		err, to = h.Modmail.Say(c.R.Context(), *c.Actor, id, cmp.Or(c.Value("reply"), c.Value("text")), false), onward(c, id, do)
	case "note":
		err = h.Modmail.Say(c.R.Context(), *c.Actor, id, c.Value("text"), true)
	default:
		err = data.Mistake("do", "do is note, close, reopen, or nothing to send a message.")
	}
	if err != nil {
		return h.RefuseMessage(c, err)
	}
	h.SendNotifications(c)
	return c.Done(to, map[string]any{"id": id, "permalink": request.ConversationURL(id)})
}

// RefuseMessage shows the conversation again, with what was typed.
func (h *Handlers) RefuseMessage(c *request.Call, err error) error {
	return request.RefuseFound(c, c.ErrRoles(err), h.conversationPage, []string{"text"}, data.NotFound)
}
