package account

import (
	"net/url"
	"strings"

	"plaza/data/accounts/invitations"
	"plaza/locale"
	"plaza/worker/request"
)

// reasonOfAction says why to log in after pressing the button of an action. pattern is the action's.
func reasonOfAction(pattern string, form url.Values) locale.Text {
	switch pattern {
	case "/vote":
		return "Log in or sign up to vote."
	case "/subscribe":
		return locale.With("Log in or sign up to join c/{}.", form.Get("community"))
	case "/follow":
		return locale.With("Log in or sign up to follow {}.", form.Get("user"))
	case "/tags/follow":
		return locale.With("Log in or sign up to follow {}.", "#"+form.Get("tag"))
	case "/save":
		return "Log in or sign up to save this."
	case "/watch":
		return "Log in or sign up to choose what you are notified of."
	}
	return ""
}

// reasonsOfPages say why to log in for a page that only members have, by its path.
var reasonsOfPages = map[string]locale.Text{
	"/submit":          "Log in or sign up to post.",
	"/reply":           "Log in or sign up to comment.",
	"/communities/new": "Log in or sign up to create a community.",
	"/messages/new":    "Log in or sign up to write to the moderators.",
}

// reason says why a visitor is on a login page, and whether what they have pressed is kept; nil if it is not known. It makes no
// promise where the action may be dropped, because the member first has to be approved or to accept the terms.
func (h *Handlers) reason(c *request.Call, signingUp bool) (says []locale.Text) {
	pattern, form := c.Wanted()
	if pattern == "" {
		path, _, _ := strings.Cut(c.Value("next"), "?")
		if strings.HasPrefix(path, "/c/") && strings.HasSuffix(path, "/submit") {
			path = "/submit"
		}
		if page := reasonsOfPages[path]; page != "" {
			says = append(says, page)
		}
		return says
	}
	says = append(says, reasonOfAction(pattern, form))
	set := h.Settings.Now()
	switch kept := set.SignUp != invitations.SignUpWithApproval && (signingUp || set.Terms == 0 && set.MinAge == 0); {
	case kept && pattern == "/vote":
		says = append(says, "Your vote is kept.")
	case kept:
		says = append(says, "This happens as soon as you log in.")
	}
	return says
}
