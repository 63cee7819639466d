package admin

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"plaza/data"
	"plaza/data/accounts/invitations"
	"plaza/data/accounts/suspensions"
	"plaza/data/events/outbox"
	"plaza/data/moderation"
	"plaza/locale"
	pages "plaza/render/admin"
	"plaza/worker/queue"
	"plaza/worker/request"
)

const (
	// adminInvitesPage is how many invited members a page shows.
	adminInvitesPage = 100
	// inviteTreeShown is how many members below one member a page shows.
	inviteTreeShown = 500
)

// ShowInvited shows administrators who was invited by whom: the members with the newest invitations, or those above and below a member.
func (h *Handlers) ShowInvited(c *request.Call) error {
	if name := trimMemberName(c.R.URL.Query().Get("user")); name != "" {
		return h.inviteTreePage(c, name, http.StatusOK, nil)
	}
	after, err := request.OptionalID(c.R.URL.Query().Get("after"))
	if err != nil {
		return err
	}
	r := c.Read()
	list, underWay := h.Invitations.FindInvited(r, after, adminInvitesPage+1), h.Suspensions.FindUnderWay(r)
	if err := c.Run(r); err != nil {
		return err
	}
	p := h.invitedPage(c, *underWay)
	if after != 0 {
		p.FirstURL = request.AdminInvitesURL
	}
	for i, m := range *list {
		if i == adminInvitesPage {
			p.NextURL = request.AdminInvitesURL + "?after=" + (*list)[i-1].ID.Text()
			break
		}
		p.Members = append(p.Members, invitedView(m))
	}
	return request.Show(c, http.StatusOK, pages.Invited, p)
}

// inviteTreePage shows the members above and below a member, and the form to decide about those below. refused is why a decision was
// refused, or nil.
func (h *Handlers) inviteTreePage(c *request.Call, name string, status int, refused error) error {
	if err := c.Parse(); err != nil {
		return err
	}
	key := strings.ToLower(name)
	r := c.Read()
	above, list, size, underWay := h.Invitations.FindAbove(r, key), h.Invitations.FindInviteTree(r, key, inviteTreeShown),
		h.Suspensions.FindInviteTreeSize(r, key),
		h.Suspensions.FindUnderWay(r)
	if err := c.Run(r); err != nil {
		return err
	}
	if len(*list) == 0 {
		return &data.Error{Code: data.NotFound, Message: "There is no member of that name."}
	}
	if n, err := strconv.Atoi(c.R.URL.Query().Get("about")); err == nil {
		c.Flash = locale.With("{} of them will be changed within a few minutes.|{} of them will be changed within a few minutes.", n)
		if n == 0 {
			c.Flash = "Nothing to change: they are all like that already."
		}
	}
	p := h.invitedPage(c, *underWay)
	p.Name, p.More = (*list)[0].Name, len(*list) > inviteTreeShown
	p.InviteTree = pages.InviteTree(*size)
	p.Rules, p.Days, p.Form = moderation.General, request.BanDays, c.Typed("rule", "text", "days")
	if refused != nil {
		p.Form = request.WithError(p.Form, refused)
	}
	for _, m := range *above {
		p.Above = append(p.Above, invitedView(m))
	}
	for _, m := range (*list)[1:min(len(*list), inviteTreeShown+1)] {
		p.Members = append(p.Members, invitedView(m))
	}
	return request.Show(c, status, pages.Invited, p)
}

func (h *Handlers) invitedPage(c *request.Call, underWay []suspensions.UnderWay) pages.InvitedPage {
	p := pages.InvitedPage{Frame: c.Frame("Who invited whom")}
	for _, u := range underWay {
		p.UnderWay = append(p.UnderWay, pages.UnderWay{Name: u.Name, Action: string(u.Action), By: u.By, Remaining: u.Remaining, At: u.At})
	}
	return p
}

// DecideInviteTree suspends, bans or restores all members below a member.
func (h *Handlers) DecideInviteTree(c *request.Call) error {
	j := suspensions.Sanction{Name: trimMemberName(c.Value("user")), Act: c.Act()}
	_, affected, err := h.Suspensions.DecideInviteTree(c.R.Context(), *c.Actor, j, moderation.General)
	if slices.Contains([]data.Code{data.Invalid, data.Conflict}, data.ErrorCode(err)) && j.Name != "" && !c.WantsJSON() {
		return h.inviteTreePage(c, j.Name, request.FormStatus(err), err)
	}
	if err != nil {
		return err
	}
	return c.Done(request.AdminInvitesURL+"?user="+url.QueryEscape(j.Name)+"&about="+strconv.Itoa(affected),
		map[string]any{"user": j.Name, "decision": j.Action, "about": affected})
}

// ConsumeInviteTree carries out decisions on invite trees.
func (h *Handlers) ConsumeInviteTree(ctx context.Context, decisions []data.ID) ([]data.ID, error) {
	return nil, queue.RunJob(ctx, h.Queue, decisions, h.Suspensions.CarryOut, outbox.JobInviteTree)
}

// trimMemberName returns a typed name without spaces around it and without u/.
func trimMemberName(text string) string { return strings.TrimPrefix(strings.TrimSpace(text), "u/") }

func invitedView(m invitations.Invited) pages.InvitedMember {
	v := pages.InvitedMember{Name: m.Name, Status: m.Status, Depth: max(m.Depth-1, 0), By: m.By}
	if m.Name != "" {
		v.URL = request.AdminInvitesURL + "?user=" + url.QueryEscape(m.Name)
	}
	return v
}
