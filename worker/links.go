package worker

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"plaza/data"
	"plaza/render"
	"plaza/render/card"
)

const (
	adminInvitesURL = "/admin/invites"
)

const (
	adminUsersURL = "/admin/users"
)

// suspendURL is where administrators decide about a member.
func suspendURL(name string) string { return adminUsersURL + "?user=" + url.QueryEscape(name) }

const waitingURL = "/admin/waiting"

func bansURL(community string) string { return "/c/" + community + "/mod/bans" }

// banURL is where a moderator decides about the author of something in a community; "" where nobody can be banned.
func (c *call) banURL(community string, author data.ID, name string) string {
	if author == 0 || name == "" || c.isViewer(author) || data.IsProfile(community) || !c.viewer.Moderates(community) {
		return ""
	}
	return bansURL(community) + "?user=" + url.QueryEscape(name)
}

const claimURL = "/admin/claim"

const messagesURL = "/admin/messages"

const deadLettersURL = "/admin/dead-letters"

const exportURL = "/settings/export"

// exportAddress is that of a file.
func exportAddress(kind string, query url.Values) string {
	address := exportURL + "/" + kind
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	return address
}

// flairURL is the address of the posts of a community that have a flair.
func flairURL(community string, id data.ID) string { return "/c/" + community + "?flair=" + id.Text() }

// giveFlairURL is where moderators give a post of a community a flair; "" on profiles, which have none.
func giveFlairURL(community string, post data.ID) string {
	if data.IsProfile(community) {
		return ""
	}
	return "/c/" + community + "/mod/give-flair?target=" + post.Text()
}

const (
	ownInvitesURL = "/settings/invites"
)

// cardURL is where moderators read what a community knows of the author of something there; "" for nobody's. Shards find the member by the
// id, and comments by the name.
func cardURL(community string, author data.ID, name string) string {
	if author == 0 || name == "" || data.IsProfile(community) {
		return ""
	}
	return "/c/" + community + "/mod/member?user=" + author.Text() + "&name=" + url.QueryEscape(name)
}

func authorsURL(community string) string { return "/c/" + community + "/mod/authors" }

const (
	allQueuesURL = "/mod/queue"
)

func modQueueURL(community string) string { return "/c/" + community + "/mod/queue" }

// decideURL is where it is decided about a post or comment of a community.
func decideURL(community string, target data.ID) string {
	return "/c/" + community + "/mod/decide?target=" + target.Text()
}

const (
	conversationsURL = "/messages"
	adminMailURL     = "/admin/mail"
)

func modMailURL(community string) string { return "/c/" + community + "/mod/mail" }

func conversationURL(id data.ID) string { return conversationsURL + "/" + id.Text() }

// ownFeedPattern is the secret address at which a feed reader finds what is new in a member's communities. Feed readers send no headers,
// so the token is in the address. It has to be one of the scope feed, which allows nothing else.
const ownFeedPattern = "/feed/{token}"

// ownFeedURL is the address of a member's own feed.
func (a *App) ownFeedURL(token string) string { return a.SiteURL + "/feed/" + token }

// LoggedPath is the path of an address as logs may have it: without a secret. The shim has the same (worker/edge/shim/pages.mjs).
func LoggedPath(path string) string {
	if strings.HasPrefix(path, "/feed/") {
		return ownFeedPattern
	}
	return path
}

func quarantineURL(community string) string { return "/c/" + community + "/mod/quarantine" }

const openCasesURL = "/admin/quarantine"

// rulesURL is where the automatic rules of a community are listed, or with "" those of the site.
func rulesURL(community string) string {
	if community == "" {
		return "/admin/rules"
	}
	return "/c/" + community + "/mod/rules"
}

func ruleURL(community string) string { return strings.TrimSuffix(rulesURL(community), "s") }

func editPageURL(name string) string { return "/admin/pages/" + name }

const siteSettingsURL = "/admin/settings"

const (
	suspensionURL = "/suspension"
	// suspensionLinkLife is how long such an address works.
	suspensionLinkLife = 30 * time.Minute
)

// suspensionLink is the address at which a member appeals against a decision, from now on for suspensionLinkLife.
func (a *App) suspensionLink(member, decision data.ID) string {
	until := strconv.FormatInt(a.Source.Now().Add(suspensionLinkLife).UnixMilli(), 36)
	return suspensionURL + "?" + url.Values{"member": {member.Text()}, "decision": {decision.Text()}, "until": {until}, "key": {a.suspensionKey(member, decision, until)}}.Encode()
}

func (a *App) suspensionKey(member, decision data.ID, until string) string {
	return a.signature("suspension\x00" + member.Text() + "\x00" + decision.Text() + "\x00" + until)
}

// tagURL is the address of the posts that have some tags.
func tagURL(names ...string) string {
	parts := slices.Sorted(slices.Values(names))
	for i, name := range parts {
		parts[i] = url.PathEscape(name)
	}
	return "/tag/" + strings.Join(parts, "+")
}

const securityURL = "/.well-known/security.txt"

const (
	sitemapURL = "/sitemap.xml"
)

// The orders of a member's own front page. Each has an address of its own; "/" shows the one that the member has chosen.
const (
	yoursHot = "/yours/hot"
	yoursNew = "/yours/new"
)

// siteCard is the card of the site, for pages that have none of their own.
const siteCard = "site"

// cardOf is a picture that the site draws: of a post's id, of c/ and a community's name, or siteCard.
func (a *App) cardOf(of string) render.Picture {
	return render.Picture{URL: a.SiteURL + "/img/card/" + of, Width: card.Width, Height: card.Height}
}
