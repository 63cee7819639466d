package request

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
	AdminInvitesURL = "/admin/invites"
)

const (
	AdminUsersURL = "/admin/users"
)

// SuspendURL is where administrators decide about a member.
func SuspendURL(name string) string { return AdminUsersURL + "?user=" + url.QueryEscape(name) }

const WaitingURL = "/admin/waiting"

func BansURL(community string) string { return "/c/" + community + "/mod/bans" }

// BanURL is where a moderator decides about the author of something in a community; "" where nobody can be banned.
func (c *Call) BanURL(community string, author data.ID, name string) string {
	if author == 0 || name == "" || c.IsViewer(author) || data.IsProfile(community) || !c.Viewer.Moderates(community) {
		return ""
	}
	return BansURL(community) + "?user=" + url.QueryEscape(name)
}

const ClaimURL = "/admin/claim"

const MessagesURL = "/admin/messages"

const DeadLettersURL = "/admin/dead-letters"

const ExportURL = "/settings/export"

// ExportAddress is that of a file.
func ExportAddress(kind string, query url.Values) string {
	address := ExportURL + "/" + kind
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	return address
}

// FlairURL is the address of the posts of a community that have a flair.
func FlairURL(community string, id data.ID) string { return "/c/" + community + "?flair=" + id.Text() }

// GiveFlairURL is where moderators give a post of a community a flair; "" on profiles, which have none.
func GiveFlairURL(community string, post data.ID) string {
	if data.IsProfile(community) {
		return ""
	}
	return "/c/" + community + "/mod/give-flair?target=" + post.Text()
}

const (
	OwnInvitesURL = "/settings/invites"
)

// CardURL is where moderators read what a community knows of the author of something there; "" for nobody's. Shards find the member by the
// id, and comments by the name.
func CardURL(community string, author data.ID, name string) string {
	if author == 0 || name == "" || data.IsProfile(community) {
		return ""
	}
	return "/c/" + community + "/mod/member?user=" + author.Text() + "&name=" + url.QueryEscape(name)
}

func AuthorsURL(community string) string { return "/c/" + community + "/mod/authors" }

const (
	AllQueuesURL = "/mod/queue"
)

func ModQueueURL(community string) string { return "/c/" + community + "/mod/queue" }

// DecideURL is where it is decided about a post or comment of a community.
func DecideURL(community string, target data.ID) string {
	return "/c/" + community + "/mod/decide?target=" + target.Text()
}

const (
	ConversationsURL = "/messages"
	AdminMailURL     = "/admin/mail"
)

func ModMailURL(community string) string { return "/c/" + community + "/mod/mail" }

func ConversationURL(id data.ID) string { return ConversationsURL + "/" + id.Text() }

// OwnFeedPattern is the secret address at which a feed reader finds what is new in a member's communities. Feed readers send no headers,
// so the token is in the address. It has to be one of the scope feed, which allows nothing else.
const OwnFeedPattern = "/feed/{token}"

// OwnFeedURL is the address of a member's own feed.
func (a *Server) OwnFeedURL(token string) string { return a.SiteURL + "/feed/" + token }

// LoggedPath is the path of an address as logs may have it: without a secret. The shim has the same (worker/edge/shim/pages.mjs).
func LoggedPath(path string) string {
	if strings.HasPrefix(path, "/feed/") {
		return OwnFeedPattern
	}
	return path
}

func QuarantineURL(community string) string { return "/c/" + community + "/mod/quarantine" }

const OpenCasesURL = "/admin/quarantine"

// RulesURL is where the automatic rules of a community are listed, or with "" those of the site.
func RulesURL(community string) string {
	if community == "" {
		return "/admin/rules"
	}
	return "/c/" + community + "/mod/rules"
}

func RuleURL(community string) string { return strings.TrimSuffix(RulesURL(community), "s") }

func EditPageURL(name string) string { return "/admin/pages/" + name }

const SiteSettingsURL = "/admin/settings"

const (
	SuspensionURL = "/suspension"
	// suspensionLinkLife is how long such an address works.
	suspensionLinkLife = 30 * time.Minute
)

// SuspensionLink is the address at which a member appeals against a decision, from now on for suspensionLinkLife.
func (a *Server) SuspensionLink(member, decision data.ID) string {
	until := strconv.FormatInt(a.Source.Now().Add(suspensionLinkLife).UnixMilli(), 36)
	return SuspensionURL + "?" + url.Values{"member": {member.Text()}, "decision": {decision.Text()}, "until": {until}, "key": {a.SuspensionKey(member, decision, until)}}.Encode()
}

func (a *Server) SuspensionKey(member, decision data.ID, until string) string {
	return a.Signature("suspension\x00" + member.Text() + "\x00" + decision.Text() + "\x00" + until)
}

// TagURL is the address of the posts that have some tags.
func TagURL(names ...string) string {
	parts := slices.Sorted(slices.Values(names))
	for i, name := range parts {
		parts[i] = url.PathEscape(name)
	}
	return "/tag/" + strings.Join(parts, "+")
}

const SecurityURL = "/.well-known/security.txt"

const (
	SitemapURL = "/sitemap.xml"
)

// The orders of a member's own front page. Each has an address of its own; "/" shows the one that the member has chosen.
const (
	YoursHot = "/yours/hot"
	YoursNew = "/yours/new"
)

// SiteCard is the card of the site, for pages that have none of their own.
const SiteCard = "site"

// CardOf is a picture that the site draws: of a post's id, of c/ and a community's name, or SiteCard.
func (a *Server) CardOf(of string) render.Picture {
	return render.Picture{URL: a.SiteURL + "/img/card/" + of, Width: card.Width, Height: card.Height}
}
