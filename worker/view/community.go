package view

import (
	"plaza/data/content/communities"
	"plaza/render"
)

// CommunityView makes the view of a community.
func CommunityView(m *communities.Community) render.Community {
	var rules []render.Rule
	for _, r := range m.Rules {
		rules = append(rules, render.Rule(r))
	}
	return render.Community{
		Name: m.Name, Title: m.Title, Description: m.Description, SidebarHTML: ShownText(m.SidebarHTML, m.SidebarPlain),
		Members: m.Members, NewMembers: m.Growth, Posts: m.Posts, NewPosts: m.WeekPosts, Colour: m.Colour, CreatedAt: m.CreatedAt,
		Rules: rules, Subscribed: m.Subscribed, Role: string(m.Role), Moderators: m.Moderators,
	}
}

// CommunityItems makes the lines of a list of communities.
func CommunityItems(list []communities.Community) []render.CommunityItem {
	items := make([]render.CommunityItem, len(list))
	for i, m := range list {
		items[i] = render.CommunityItem{
			Name: m.Name, Title: m.Title, Description: m.Description, Colour: m.Colour,
			Members: m.Members, Growth: m.Growth, CreatedAt: m.CreatedAt, Subscribed: m.Subscribed,
		}
	}
	return items
}
