package ui

import (
	"slices"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// settingsTabs are the pages of a member's settings. A community's settings are another page, CommunitySettings.
var settingsTabs = []Tab{
	{Label: "Account", URL: "/settings/account"},
	{Label: "Security", URL: "/settings/security"},
	{Label: "Reading", URL: "/settings"},
	{Label: "Notifications", URL: "/settings/notifications"},
	{Label: "Profile", URL: "/settings/profile"},
	{Label: "Filters", URL: "/settings/filters"},
	{Label: "Blocked", URL: "/settings/blocked"},
	{Label: "Tokens", URL: "/settings/tokens"},
}

// SettingsPage is the shell around the pages of a member's settings. address is the page's own in settingsTabs.
func SettingsPage(f Frame, address string, main ...g.Node) g.Node {
	list := slices.Clone(settingsTabs)
	if f.Inviting || address == InvitesURL {
		list = append(list, Tab{Label: "Invitations", URL: InvitesURL})
	}
	for i := range list {
		list[i].Active = list[i].URL == address
	}
	return Page(f, "", nil, append([]g.Node{h.H1(T("Settings")), Tabs("Settings", list)}, main...)...)
}
