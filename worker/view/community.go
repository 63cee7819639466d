package view

import (
	"plaza/data/content/communities"
	"plaza/render/ui"
	"plaza/worker/request"
)

// CommunityView makes the view of a community.
func CommunityView(m *communities.Community) ui.Community {
	var rules []ui.Rule
	for _, r := range m.Rules {
		rules = append(rules, ui.Rule(r))
	}
	var pages []ui.PageLink
	for _, p := range m.Pages {
		pages = append(pages, ui.PageLink{Title: p.Title, URL: request.WikiPageURL(m.Name, p.Slug)})
	}
	return ui.Community{
		Name: m.Name, Title: m.Title, Description: m.Description, SidebarHTML: ShownText(m.SidebarHTML, m.SidebarPlain),
		Members: m.Members, NewMembers: m.Growth, Posts: m.Posts, NewPosts: m.WeekPosts,
		Colour: m.Colour, Icon: m.Icon, Banner: m.Banner, CreatedAt: m.CreatedAt,
		Rules: rules, Subscribed: m.Subscribed, Role: string(m.Role), Moderators: m.Moderators,
		Pages: pages,
	}
}

// CommunityItems makes the lines of a list of communities.
func CommunityItems(list []communities.Community) []ui.CommunityItem {
	items := make([]ui.CommunityItem, len(list))
	for i, m := range list {
		items[i] = ui.CommunityItem{
			Name: m.Name, Title: m.Title, Description: m.Description, Colour: m.Colour, Icon: m.Icon,
			Members: m.Members, Growth: m.Growth, CreatedAt: m.CreatedAt, Subscribed: m.Subscribed,
		}
	}
	return items
}
