package request

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"plaza/data"
	"plaza/render/card"
	"plaza/render/ui"
)

// Addresses of pages that other pages link to.
const (
	AdminURL         = "/admin"
	AdminInvitesURL  = "/admin/invites"
	AdminMailURL     = "/admin/mail"
	AdminUsersURL    = "/admin/users"
	PicturesURL      = "/admin/pictures"
	AllQueuesURL     = "/mod/queue"
	ClaimURL         = "/admin/claim"
	ConversationsURL = "/messages"
	DeadLettersURL   = "/admin/dead-letters"
	HealthURL        = "/admin/health"
	ExportURL        = "/settings/export"
	MessagesURL      = "/admin/messages" // of the contact form
	OpenCasesURL     = "/admin/quarantine"
	OwnInvitesURL    = "/settings/invites"
	SecurityURL      = "/.well-known/security.txt"
	SiteSettingsURL  = "/admin/settings"
	SitemapURL       = "/sitemap.xml"
	SuspensionURL    = "/suspension"
	WaitingURL       = "/admin/waiting"
	// The orders of a member's own front page. Each has an address of its own; "/" shows the one that the member has chosen.
	YoursHot    = "/yours/hot"
	YoursNew    = "/yours/new"
	YoursActive = "/yours/active"
)

// SuspendURL is the address where administrators suspend or ban a member.
func SuspendURL(name string) string { return AdminUsersURL + "?user=" + url.QueryEscape(name) }

// ConversationURL is the address of a conversation with moderators.
func ConversationURL(id data.ID) string { return ConversationsURL + "/" + id.Text() }

// ExportAddress returns the address of a file of an export.
func ExportAddress(kind string, query url.Values) string {
	address := ExportURL + "/" + kind
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	return address
}

// FlairURL is the address of the posts of a community that have a flair.
func FlairURL(community string, id data.ID) string { return "/c/" + community + "?flair=" + id.Text() }

// TagURL is the address of the posts that have some tags.
func TagURL(names ...string) string {
	parts := slices.Sorted(slices.Values(names))
	for i, name := range parts {
		parts[i] = url.PathEscape(name)
	}
	return "/tag/" + strings.Join(parts, "+")
}

// Pages of a community's moderators.

func AuthorsURL(community string) string      { return modURL(community, "authors") }
func BansURL(community string) string         { return modURL(community, "bans") }
func FlairsURL(community string) string       { return modURL(community, "flair") }
func MemberFlairsURL(community string) string { return modURL(community, "flair?of=members") }
func ModMailURL(community string) string      { return modURL(community, "mail") }
func ModQueueURL(community string) string     { return modURL(community, "queue") }
func QuarantineURL(community string) string   { return modURL(community, "quarantine") }

func modURL(community, page string) string { return "/c/" + community + "/mod/" + page }

// BlockedPicturesURL is the address of the pictures that are blocked in a community; "" is the site.
func BlockedPicturesURL(community string) string {
	if community == "" {
		return "/admin/blocked-pictures"
	}
	return modURL(community, "pictures")
}

// CommunitySettingsURL is where moderators change a community.
func CommunitySettingsURL(community string) string { return "/c/" + community + "/settings" }

// LogURL is where everybody reads what was decided in a community, or with "" about the site.
func LogURL(community string) string {
	if community == "" {
		return "/log"
	}
	return "/c/" + community + "/log"
}

// RulesURL is the address of the list of a community's automatic rules; with "" the site's rules.
func RulesURL(community string) string {
	if community == "" {
		return "/admin/rules"
	}
	return modURL(community, "rules")
}

// RuleURL is the address where an automatic rule is written.
func RuleURL(community string) string { return strings.TrimSuffix(RulesURL(community), "s") }

// DecideURL is where moderators decide about a post or comment of a community.
func DecideURL(community string, target data.ID) string {
	return modURL(community, "decide?target="+target.Text())
}

// EraseURL is where administrators erase something.
func EraseURL(target data.ID) string { return "/admin/erase?target=" + target.Text() }

// EraseWikiURL is where administrators erase a page of a community, or with a number one of its revisions.
func EraseWikiURL(page data.ID, number int64) string {
	if number == 0 {
		return "/admin/erase?page=" + page.Text()
	}
	return "/admin/erase?page=" + page.Text() + "&revision=" + strconv.FormatInt(number, 10)
}

// GiveFlairURL is where moderators give a post of a community a flair; "" on profiles, which have none.
func GiveFlairURL(community string, post data.ID) string {
	if data.IsProfile(community) {
		return ""
	}
	return modURL(community, "give-flair?target="+post.Text())
}

// WikiURL is where the pages of a community are listed.
func WikiURL(community string) string { return "/c/" + community + "/pages" }

// WikiPageURL is the address of a community's page.
func WikiPageURL(community, slug string) string { return WikiURL(community) + "/" + slug }

// WikiHistoryURL is where the history of a community's page is.
func WikiHistoryURL(community, slug string) string { return WikiPageURL(community, slug) + "/history" }

// WikiRevisionURL is where a revision of a community's page is.
func WikiRevisionURL(community, slug string, number int64) string {
	return WikiHistoryURL(community, slug) + "/" + strconv.FormatInt(number, 10)
}

// EditWikiURL is where moderators edit a page of a community, or with "" write a new one.
func EditWikiURL(community, slug string) string {
	if slug == "" {
		return modURL(community, "page")
	}
	return modURL(community, "page?page="+slug)
}

// OwnFlairURL is where members choose their flair in a community.
func OwnFlairURL(community string) string { return "/c/" + community + "/flair" }

// MemberFlairURL is where moderators give a member a flair.
func MemberFlairURL(community string, member data.ID) string {
	return modURL(community, "user-flair?user="+member.Text())
}

// TitleURL is where moderators give a post of a community another title; "" on profiles, whose members do that themselves.
func TitleURL(community string, post data.ID) string {
	if data.IsProfile(community) {
		return ""
	}
	return modURL(community, "title?target="+post.Text())
}

// MemberCardURL is the address where moderators read what a community knows of an author; "" if there is none. Shards find the member by
// the id, and comments by the name.
func MemberCardURL(community string, author data.ID, name string) string {
	if author == 0 || name == "" || data.IsProfile(community) {
		return ""
	}
	return modURL(community, "member?user="+author.Text()+"&name="+url.QueryEscape(name))
}

// BanURL is the address at which the caller bans an author in a community; "" if the caller can't ban them.
func (c *Call) BanURL(community string, author data.ID, name string) string {
	if author == 0 || name == "" || c.IsViewer(author) || data.IsProfile(community) || !c.Viewer.Moderates(community) {
		return ""
	}
	return BansURL(community) + "?user=" + url.QueryEscape(name)
}

// PrivateFeedPattern is the secret address at which a feed reader finds what is new in a member's communities. Feed readers send no
// headers, so the token is in the address. It must have the scope feed, which allows nothing else.
const PrivateFeedPattern = "/feed/{token}"

// PrivateFeedURL is the address of a member's own feed.
func (s *Server) PrivateFeedURL(token string) string { return s.SiteURL + "/feed/" + token }

// LoggedPath returns a path without its secret, for logs. The shim does the same (worker/edge/shim/pages.mjs).
func LoggedPath(path string) string {
	if strings.HasPrefix(path, "/feed/") {
		return PrivateFeedPattern
	}
	return path
}

// suspensionLinkLife is how long an address of SuspensionLink works.
const suspensionLinkLife = 30 * time.Minute

// SuspensionLink returns the address at which a member can appeal against a decision for suspensionLinkLife.
func (s *Server) SuspensionLink(member, decision data.ID) string {
	until := strconv.FormatInt(s.Source.Now().Add(suspensionLinkLife).UnixMilli(), 36)
	return SuspensionURL + "?" + url.Values{"member": {member.Text()}, "decision": {decision.Text()}, "until": {until},
		"key": {s.SuspensionKey(member, decision, until)}}.Encode()
}

// SuspensionKey returns the signature of an address of SuspensionLink.
func (s *Server) SuspensionKey(member, decision data.ID, until string) string {
	return s.Key.Signature("suspension\x00" + member.Text() + "\x00" + decision.Text() + "\x00" + until)
}

// SiteCard is the card of the site, for pages that have none of their own.
const SiteCard = "site"

// CardOf returns a picture that the site draws for a post's id, for c/ and a community's name, or for SiteCard.
func (s *Server) CardOf(subject string) ui.Picture {
	return ui.Picture{URL: s.SiteURL + "/img/card/" + subject, Width: card.Width, Height: card.Height}
}
