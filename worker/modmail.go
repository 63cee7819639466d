package worker

import (
	"context"
	"math"
	"net/http"
	"net/url"
	"slices"

	"plaza/data"
	"plaza/data/communities"
	"plaza/data/inbox"
	"plaza/data/modlog"
	"plaza/data/modmail"
	"plaza/data/posts"
	"plaza/data/threads"
	"plaza/render"
)

// mailPageLength is how many conversations a page lists.
const mailPageLength = 25

// conversationLines are the lines of a list.
func conversationLines(page *modmail.Page) (lines []render.ConversationLine) {
	for _, l := range page.Lines() {
		lines = append(lines, render.ConversationLine{URL: conversationURL(l.ID), Community: l.Community, Member: l.Member, Subject: l.Subject, Status: string(l.Status), Left: l.Left,
			TakenBy: l.TakenBy, At: l.SaidAt, Appeal: l.Appeal, Verdict: string(l.Verdict)})
	}
	return lines
}

// showConversations lists the member's own conversations with moderators.
func (a *App) showConversations(c *call) error {
	after, err := data.ParseCursor(byte(modmail.Order), c.r.URL.Query().Get("after"))
	if err != nil {
		return err
	}
	r := c.read()
	page := a.modmail.FindOwn(r, c.viewerID(), after, mailPageLength)
	if err := c.run(r); err != nil {
		return err
	}
	p := render.ConversationsPage{Lines: conversationLines(page), Own: true}
	if next := page.Next(); !next.IsZero() {
		p.NextURL = conversationsURL + "?after=" + next.String()
	}
	if !after.IsZero() {
		p.FirstURL = conversationsURL
	}
	p.Frame = c.frame("Messages", "", "")
	p.NoIndex = true
	return show(c, http.StatusOK, render.Conversations, p)
}

// mailList is one of the lists of conversations that moderators have, as a tab.
type mailList struct {
	name, label string
	status      modmail.Status // "" for those in which the moderator has answered last
}

var mailLists = []mailList{{"", "Open", modmail.Open}, {"mine", "Mine", ""}, {"answered", "Answered", modmail.Answered}, {"closed", "Closed", modmail.Closed}}

// showModMail lists the conversations of a community's moderators.
func (a *App) showModMail(c *call) error { return a.mailPage(c, c.r.PathValue("community")) }

// showAdminMail lists the conversations of the administrators.
func (a *App) showAdminMail(c *call) error { return a.mailPage(c, "") }

func (a *App) mailPage(c *call, name string) error {
	q := c.r.URL.Query()
	chosen := max(slices.IndexFunc(mailLists, func(l mailList) bool { return l.name == q.Get("show") }), 0)
	after, err := data.ParseCursor(byte(modmail.Order), q.Get("after"))
	if err != nil {
		return err
	}
	r := c.read()
	var community *communities.Community
	if name != "" {
		community = a.communities.FindByName(r, name, c.viewerID())
	}
	page := a.modmail.FindOf(r, c.viewerID(), name, mailLists[chosen].status, after, mailPageLength)
	if err := c.run(r); err != nil {
		return err
	}
	p := render.ConversationsPage{Lines: conversationLines(page)}
	title, address := "Messages to the administrators", adminMailURL
	if community != nil {
		if community.ID == 0 {
			return errNoCommunity
		}
		p.Community, title, address = communityView(community), "Messages to the moderators of c/"+community.Name, modMailURL(community.Name)
	}
	at := func(show, after string) string {
		of := url.Values{}
		if show != "" {
			of.Set("show", show)
		}
		if after != "" {
			of.Set("after", after)
		}
		if len(of) == 0 {
			return address
		}
		return address + "?" + of.Encode()
	}
	for n, l := range mailLists {
		p.Tabs = append(p.Tabs, render.Tab{Label: l.label, URL: at(l.name, ""), Active: n == chosen})
	}
	if next := page.Next(); !next.IsZero() {
		p.NextURL = at(mailLists[chosen].name, next.String())
	}
	if !after.IsZero() {
		p.FirstURL = at(mailLists[chosen].name, "")
	}
	p.Frame = c.frame(title, "", "")
	p.NoIndex = true
	return show(c, http.StatusOK, render.Conversations, p)
}

// showNewMessage is the form by which a member writes to moderators, or a moderator to a member.
func (a *App) showNewMessage(c *call) error {
	return a.newMessagePage(c, http.StatusOK, render.Form{Values: map[string]string{}, Errors: map[string]string{}})
}

func (a *App) newMessagePage(c *call, status int, f render.Form) error {
	if err := c.parse(); err != nil {
		return err
	}
	r := c.read()
	a.communities.FollowColours(r)
	about, err := a.thingOf(c, r)
	if err != nil {
		return err
	}
	if err := c.run(r); err != nil {
		return err
	}
	p := render.NewMessagePage{To: c.value("user"), Target: c.value("target"), Form: f}
	name := c.value("community")
	if thing := about(); thing.url != "" {
		p.Title, p.URL = thing.title, thing.url
	}
	if name != "" {
		p.Community = render.Community{Name: name, Colour: c.colour(name)}
	}
	p.Frame = c.frame("Write a message", "", "")
	p.NoIndex = true
	return show(c, status, render.NewMessage, p)
}

// thing is what a message is about.
type thing struct{ title, url string }

// thingOf reads along with a page the post or comment that the field target names. What is not there, or not for everybody, is nothing.
func (a *App) thingOf(c *call, r *data.Read) (func() thing, error) {
	target, err := optionalID(c.value("target"))
	if err != nil || target == 0 {
		return func() thing { return thing{} }, err
	}
	post, comment := &posts.Source{}, &threads.Source{}
	if target.IsComment() {
		comment = a.comments.FindSource(r, target)
	} else {
		post = a.posts.FindSource(r, target)
	}
	return func() thing {
		switch {
		case target.IsComment() && comment.Post.Status != "published" && comment.Post.Status != "archived":
			if c.isViewer(comment.AuthorID) { // the title of a thread that is gone is not told
				return thing{"Your comment", comment.URL()}
			}
			return thing{}
		case target.IsComment() && (comment.Status == "published" || c.isViewer(comment.AuthorID)):
			return thing{comment.Post.Title, comment.URL()}
		case post.Status == "published" || post.Status == "archived" || post.Status != "" && c.isViewer(post.AuthorID):
			return thing{post.Title, post.URL()}
		}
		return thing{}
	}, nil
}

// beginConversation sends the first message.
func (a *App) beginConversation(c *call) error {
	r := a.DB.Read()
	about, err := a.thingOf(c, r)
	if err != nil {
		return err
	}
	ban := a.bans.FindOwn(r, c.value("community"), c.viewerID())
	if err := r.Run(c.r.Context()); err != nil {
		return err
	}
	if ban.Kind == modlog.Ban {
		return a.refuseNewMessage(c, ban.Err())
	}
	id, err := a.modmail.Begin(c.r.Context(), *c.actor, modmail.Begin{Community: c.value("community"), To: c.value("user"), Subject: c.value("title"),
		About: about().url, Text: c.value("text")})
	if err != nil {
		return a.refuseNewMessage(c, err)
	}
	a.told(c)
	return c.done(conversationURL(id), map[string]any{"id": id, "permalink": conversationURL(id)})
}

// refuseNewMessage shows the form again.
func (a *App) refuseNewMessage(c *call, err error) error {
	err = c.errRoles(err)
	if c.wantsJSON() || c.actor == nil || !formCanSay(err) {
		return err
	}
	if a.newMessagePage(c, formStatus(err), wrong(c.typed("title", "text"), err)) != nil {
		return err
	}
	return nil
}

// showConversation is a conversation, for its member or its moderators.
func (a *App) showConversation(c *call) error {
	return a.conversationPage(c, http.StatusOK, render.Form{Values: map[string]string{}, Errors: map[string]string{}})
}

func (a *App) conversationPage(c *call, status int, f render.Form) error {
	id, err := data.ParseID(c.r.PathValue("conversation"))
	if err != nil {
		return err
	}
	r := c.read()
	a.communities.FollowColours(r)
	found := a.modmail.Find(r, *c.actor, id)
	if err := c.run(r); err != nil {
		return err
	}
	if found.Refused != nil {
		return c.errRoles(found.Refused)
	}
	if found.ID == 0 {
		return &data.Error{Code: data.NotFound, Message: "There is no such conversation of yours."}
	}
	p := render.ConversationPage{URL: conversationURL(id), Subject: found.Subject, Member: found.Member, AboutURL: found.About, Status: string(found.Status), Left: found.Left, Own: found.Own, Form: f}
	p.ListURL = conversationsURL
	if found.Community != "" {
		p.Community = render.Community{Name: found.Community, Colour: c.colour(found.Community)}
	}
	if !found.Own {
		p.ListURL = adminMailURL
		if found.Community != "" {
			p.ListURL = modMailURL(found.Community)
			p.CardURL = cardURL(found.Community, found.MemberID, found.Member)
		}
	}
	if found.Decision != 0 {
		p.Verdict, p.DecisionURL = string(found.Verdict), "/decisions/"+found.Decision.Text()
		if !found.Own && found.Verdict == "" {
			p.JudgeURL = conversationURL(id) + "/verdict"
		}
	}
	p.Messages = messagesOf(found)
	if found.Unread && c.seen() {
		a.markConversation(c, id)
	}
	p.Frame = c.frame(found.Subject, "", "")
	p.NoIndex = true
	return show(c, status, render.Conversation, p)
}

// messagesOf are the messages of a conversation.
func messagesOf(c *modmail.Conversation) (list []render.ConversationMessage) {
	for _, m := range c.Messages {
		list = append(list, render.ConversationMessage{ID: m.ID.Text(), Side: m.Side, Author: m.Author, Text: m.Text, At: m.At()})
	}
	return list
}

// markConversation marks what the member was told of a conversation as read, after the answer.
func (a *App) markConversation(c *call, id data.ID) {
	a.mark(c)
	actor := *c.actor
	a.Background(c.r.Context(), func(ctx context.Context) {
		if _, err := a.inbox.MarkRead(ctx, actor, inbox.Which{Thread: id, Newest: math.MaxInt64}); err != nil {
			a.Log.WarnContext(ctx, "not marked as read", "error", err)
		}
		a.DB.ForgetOwn(actor.UserID)
	})
}

// writeMessage adds a message or a note to a conversation, or closes it.
func (a *App) writeMessage(c *call) error {
	id, err := data.ParseID(c.r.PathValue("conversation"))
	if err != nil {
		return err
	}
	switch do := c.value("do"); do {
	case "close":
		err = a.modmail.Close(c.r.Context(), *c.actor, id)
	case "", "note":
		err = a.modmail.Say(c.r.Context(), *c.actor, id, c.value("text"), do == "note")
	default:
		err = data.Mistake("do", "do is note, close, or nothing to send a message.")
	}
	if err != nil {
		return a.refuseMessage(c, err)
	}
	a.told(c)
	return c.done(conversationURL(id), map[string]any{"id": id, "permalink": conversationURL(id)})
}

// refuseMessage shows the conversation again, with what was typed.
func (a *App) refuseMessage(c *call, err error) error {
	err = c.errRoles(err)
	if c.wantsJSON() || c.actor == nil || !formCanSay(err) || data.ErrorCode(err) == data.NotFound {
		return err
	}
	if a.conversationPage(c, formStatus(err), wrong(c.typed("text"), err)) != nil {
		return err
	}
	return nil
}
