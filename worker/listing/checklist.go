package listing

import (
	"slices"

	"plaza/data/site"
	"plaza/locale"
	pages "plaza/render/listing"
	"plaza/worker/request"
)

// checklist returns the steps by which the administrator of a new site begins. It returns nil for others, and when all are done or an
// administrator has dismissed them. found is nil if nothing was read. community and post mean that the site has one.
func (h *Handlers) checklist(c *request.Call, found *site.Checklist, community, post bool) []pages.Step {
	set := c.Site()
	if found == nil || !c.Viewer.Admin || set.ChecklistDismissed {
		return nil
	}
	invite := pages.Step{Label: "Invite three people", Done: found.People, URL: request.OwnInvitesURL,
		Hint: "Create an invitation, and send its link."}
	if !set.MayInvite(true) {
		invite.URL = request.SiteSettingsURL + "#sign_up"
		invite.Hint = locale.With("Send them this address: {}", h.SiteURL+"/signup")
	}
	steps := []pages.Step{
		{Label: "Choose a name and a colour", Done: set.HasOwnLook(), URL: request.SiteSettingsURL + "#name",
			Hint: "Both are on every page."},
		{Label: "Write the rules", Done: found.Rules || len(set.Rules) > 0, URL: request.SiteSettingsURL + "#rule-1-title",
			Hint: "Reports and decisions cite them."},
		{Label: "Create the first community", Done: community, URL: "/communities/new", Hint: "Every post is in one."},
		invite,
		{Label: "Write the first post", Done: post, URL: "/submit", Hint: "It shows newcomers what belongs here."},
	}
	if !slices.ContainsFunc(steps, func(s pages.Step) bool { return !s.Done }) {
		h.Settings.CompleteChecklist()
		return nil
	}
	return steps
}
