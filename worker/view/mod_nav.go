package view

import (
	"plaza/data"
	"plaza/data/moderation/modmail"
	"plaza/data/moderation/reports"
	"plaza/locale"
	"plaza/render/ui"
	"plaza/worker/request"
)

// modNavMax bounds how many communities the navigation of all queues names.
const modNavMax = 30

// ModCounts are the counts in the navigation of moderators.
type ModCounts struct {
	waiting *reports.Waiting
	mail    *int64
}

// FindModCounts reads the counts along with a page; nil for visitors, and for the site, which is "".
func (v *Views) FindModCounts(c *request.Call, r *data.Read, community string) *ModCounts {
	if c.Actor == nil || community == "" {
		return nil
	}
	return &ModCounts{reports.FindWaiting(r, community), modmail.CountOpen(r, v.Source, c.ViewerID(), community)}
}

// ModNav returns the links to all pages of the moderators of a community; none for other callers. active is the address of the page itself.
func ModNav(c *request.Call, community ui.Community, counts *ModCounts, active string) ui.ModNav {
	name := community.Name
	if c.Viewer == nil || !c.Viewer.Approves(name) {
		return ui.ModNav{}
	}
	if counts == nil {
		counts = &ModCounts{&reports.Waiting{}, new(int64)}
	}
	n := ui.ModNav{Community: ui.Community{Name: name, Colour: community.Colour, Icon: community.Icon}}
	add := func(label locale.Text, address string, count int64) {
		n.Links = append(n.Links, ui.ModLink{Label: label, URL: address, Count: count, Active: address == active})
	}
	moderates := c.Viewer.Moderates(name) && !data.IsProfile(name)
	add("Queue", request.ModQueueURL(name), counts.waiting.Cases)
	if moderates {
		add("Mail¦messages", request.ModMailURL(name), *counts.mail)
	}
	add("Votes", request.QuarantineURL(name), counts.waiting.Votes)
	if moderates {
		add("Bans", request.BansURL(name), 0)
		add("Rules", request.RulesURL(name), 0)
		add("Flair", request.FlairsURL(name), 0)
		add("Pages", request.WikiURL(name), 0)
		add("Pictures¦blocked", request.BlockedPicturesURL(name), 0)
		add("Settings", request.CommunitySettingsURL(name), 0)
	}
	if !data.IsProfile(name) {
		add("Log¦noun", request.LogURL(name), 0)
	}
	if c.Viewer.Admin || len(c.Viewer.Moderated()) > 1 {
		add("All queues", request.AllQueuesURL, 0)
	}
	return n
}

// SiteModNav returns the navigation of administrators. Others who moderate get links to their queues, and so do administrators beside the
// queue of the whole site.
func SiteModNav(c *request.Call, active string) ui.ModNav {
	if c.Viewer == nil {
		return ui.ModNav{}
	}
	n := ui.ModNav{Links: []ui.ModLink{{Label: "All queues", URL: request.AllQueuesURL, Active: active == request.AllQueuesURL}}}
	var heading locale.Text
	if c.Viewer.Admin {
		n, heading = ui.AdminNav(active), "Communities"
		if active != request.AllQueuesURL {
			return n
		}
	}
	for i, name := range c.Viewer.Moderated() {
		if i == modNavMax {
			break
		}
		n.Links = append(n.Links, ui.ModLink{Heading: heading, Label: locale.Verbatim("c/" + name), URL: request.ModQueueURL(name),
			Count: int64(c.Viewer.WaitingIn(name))})
		heading = ""
	}
	return n
}
