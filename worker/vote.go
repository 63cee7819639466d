package worker

import (
	"context"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"plaza/data"
	"plaza/data/posts"
	"plaza/ranking"
	"plaza/render"
)

func (a *App) vote(c *call) error {
	target, err := data.ParseID(c.value("target"))
	if err != nil {
		return &data.Error{Code: data.Invalid, Field: "target", Message: "That is not a post or comment of this site."}
	}
	value, err := strconv.Atoi(c.value("value"))
	if err != nil {
		return &data.Error{Code: data.Invalid, Field: "value", Message: "A vote is 1, -1 or 0."}
	}
	voter := *c.actor
	voter.Origin = data.Origin{Network: networkOf(c.r), Referrer: cameFrom(c.r, target)}
	state, err := a.votes.Cast(c.r.Context(), voter, target, value)
	if err != nil {
		return err
	}
	v := c.votes(target, state.Ups, state.Downs, state.Mine, state.Moderated)
	if !state.Moderated {
		c.lifted(&v)
	}
	if c.fragment() {
		return show(c, http.StatusOK, render.VoteFragment, v)
	}
	return c.done(c.cameFromPage(target, state.URL), map[string]any{"id": target, "score": v.Score, "ups": v.Ups, "downs": v.Downs, "my_vote": v.Mine})
}

func networkOf(r *http.Request) string {
	addr, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return ""
	}
	return ranking.NetworkOf(addr.Addr())
}

// fromCookie remembers which site led a member to a post or comment, for the vote
// that may follow: the target's id, a dot and the host.
const fromCookie = "__Host-from"

// fromLife is how long a vote still counts as led to by the site before, in seconds.
const fromLife = 30 * 60

// rememberFrom notes the outside host that led a member to a target.
func (a *App) rememberFrom(c *call, target data.ID) {
	if c.actor == nil {
		return
	}
	u, err := url.Parse(c.r.Header.Get("Referer"))
	if err != nil || u.Host == c.r.Host || u.Scheme+"://"+u.Host == a.SiteURL {
		return
	}
	host := posts.Domain(u.String())
	if !isHost(host) {
		return
	}
	http.SetCookie(c.w, &http.Cookie{
		Name: fromCookie, Value: target.Text() + "." + host, Path: "/", MaxAge: fromLife,
		Secure: true, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
}

// cameFrom is the host that led the voter to the target; "" for none.
func cameFrom(r *http.Request, target data.ID) string {
	cookie, err := r.Cookie(fromCookie)
	if err != nil {
		return ""
	}
	host, ok := strings.CutPrefix(cookie.Value, target.Text()+".")
	if !ok || !isHost(host) {
		return ""
	}
	return host
}

// isHost tells a host name as browsers send it: up to 100 characters, which bounds
// what is stored of anybody's invention.
func isHost(s string) bool {
	if len(s) < 1 || len(s) > 100 {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' && c != '.' && c != '_' {
			return false
		}
	}
	return true
}

// nudgeVotes tells the votes consumer of targets that were voted on together.
func (a *App) nudgeVotes(ctx context.Context, targets []data.ID) {
	bodies := make([]string, len(targets))
	for i, target := range targets {
		bodies[i] = voteMessage(target)
	}
	if err := a.Queue.Send(ctx, QueueVotes, bodies...); err != nil {
		a.Log.WarnContext(ctx, "votes queue not reached", "targets", len(targets), "error", err)
	}
}

// nudge tells the votes consumer that something changed. What changed is in the
// database already; should the message be lost, the sweep finds it.
func (a *App) nudge(c *call, bodies ...string) {
	if err := a.Queue.Send(c.r.Context(), QueueVotes, bodies...); err != nil {
		a.Log.WarnContext(c.r.Context(), "votes queue not reached", "request", c.id, "error", err)
	}
}
