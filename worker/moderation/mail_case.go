package moderation

import (
	"cmp"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/content/communities"
	"plaza/data/events/modlog"
	"plaza/data/moderation/modmail"
	"plaza/data/rights/bans"
	"plaza/locale"
	pages "plaza/render/moderation"
	"plaza/render/ui"
	"plaza/worker/decision"
	"plaza/worker/request"
	"plaza/worker/view"
)

// fillCase reads what moderators can decide about beside a conversation (its post or comment, and the member's ban), and the next
// conversation. It is a second read, because the first one finds the community to read from.
func (h *Handlers) fillCase(c *request.Call, p *pages.ConversationPage, found *modmail.Conversation) error {
	name := found.Community
	r := h.DB.Read()
	next, about := h.Modmail.FindNext(r, c.ViewerID(), found), modmail.FindAbout(r, found.About)
	d, community, ban := &modlog.Entry{}, &communities.Community{}, &bans.Line{}
	if found.Decision != 0 {
		d = modlog.FindEntry(r, h.DB, found.Decision)
	}
	var counts *view.ModCounts
	if name != "" {
		community, counts = h.Communities.FindByName(r, name, c.ViewerID()), h.FindModCounts(c, r, name)
		if found.Member != "" {
			ban = h.Bans.FindNamed(r, name, found.Member)
		}
	}
	if err := r.Run(c.R.Context()); err != nil {
		return err
	}
	p.Nav = view.SiteModNav(c, p.ListURL)
	if name != "" {
		p.Nav = view.ModNav(c, view.CommunityView(community), counts, p.ListURL)
	}
	p.Onward = p.ListURL
	if *next != 0 {
		p.NextURL = request.ConversationURL(*next)
		p.Onward = p.NextURL
	}
	p.Case = h.mailCase(c, p, about, d, community)
	if ban.Kind != "" {
		line := banLine(name, ban)
		// Shortening would be a new decision. It would stay in force if the verdict overturns this one.
		if p.JudgeURL == "" {
			line.Shorter = shorter(h.Source.Now(), ban.Until)
		}
		p.Ban, p.BansURL = &line, request.BansURL(name)
	}
	p.Handled = handled(c)
	return nil
}

// mailCase is the post or comment and the decision that a conversation is about; nil for none. The member types the address, so the post or
// comment may belong to another community. Then the moderators of this one see only the address.
func (h *Handlers) mailCase(c *request.Call, p *pages.ConversationPage, about *modmail.About, d *modlog.Entry,
	community *communities.Community) *pages.MailCase {
	v := &pages.MailCase{}
	if about.Target != 0 && (strings.EqualFold(about.Community, p.Community.Name) || p.Community.Name == "" && c.Viewer.Admin) {
		v.URL, v.Title, v.Said, v.Author, v.Comment = p.AboutURL, about.Title, about.Excerpt, about.Author, about.Target.IsComment()
		v.Removed, v.Held = about.Removed && !about.Held, about.Held
		if p.JudgeURL == "" { // else the verdict decides about it
			v.Target, v.DecideURL = about.Target.Text(), "/c/"+about.Community+"/mod/decide"
			v.Rules = view.RulesOf(c, community)
		}
	}
	if d.ID != 0 {
		v.Decided = decision.Text(d.Action, d.Comment != 0, d.Community, false)
		v.Rule, v.Note, v.At, v.Until, v.Undone = d.Rule, d.Note, d.At(), d.Until, d.Undone
		v.By = cmp.Or(locale.Verbatim(d.Actor), "nobody in particular")
		v.Said = cmp.Or(v.Said, d.Excerpt)
	}
	if v.URL == "" && v.Decided == "" {
		return nil
	}
	return v
}

// shorter returns those of request.BanDays after which, from now on, a ban would end earlier than at until. For a ban without an end it
// returns all.
func shorter(now, until time.Time) (days []int) {
	for _, n := range request.BanDays {
		if until.IsZero() || now.AddDate(0, 0, n).Before(until) {
			days = append(days, n)
		}
	}
	return days
}

// handledWords are the notices about the conversation that a moderator has just answered, closed or judged.
var handledWords = map[string]locale.Text{"close": "Closed.", "": "Sent.", "upheld": ui.Verdicts["upheld"],
	"overturned": ui.Verdicts["overturned"]}

// handled returns the conversation that the moderator has just answered, closed or judged, from the address; nil for none.
func handled(c *request.Call) *pages.Handled {
	q := c.R.URL.Query()
	id, err := data.ParseID(q.Get("done"))
	words := handledWords[q.Get("what")]
	if err != nil || words == "" || !request.SafeMethod(c.R.Method) {
		return nil
	}
	return &pages.Handled{URL: request.ConversationURL(id), Words: words, Undo: q.Get("what") == "close"}
}

// onward is the page after a moderator's form: the next conversation, or the list. A form without the field onward leads back to its
// conversation.
func onward(c *request.Call, id data.ID, what string) string {
	if !c.HasAny("onward") {
		return request.ConversationURL(id)
	}
	return request.Back(c.Value("onward")) + "?done=" + id.Text() + "&what=" + what
}

// backTo returns the address in the form's field return, or other if there is none.
func backTo(c *request.Call, other string) string {
	if !c.HasAny("return") {
		return other
	}
	return request.Back(c.Value("return"))
}
