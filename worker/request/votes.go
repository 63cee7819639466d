package request

import (
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"plaza/data"
	"plaza/protocol/weburl"
	"plaza/ranking"
	"plaza/render/ui"
)

// NetworkOf returns the network from which a vote comes, for finding brigades; "" if it is unknown.
func NetworkOf(r *http.Request) string {
	addr, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return ""
	}
	return ranking.NetworkOf(addr.Addr())
}

// fromCookie has the other site whose link led a member to a post or comment, because a vote may follow. It is the
// target's id, a dot and the host.
const fromCookie = "__Host-from"

// fromLife is for how long the member's vote is attributed to that site.
const fromLife = 30 * time.Minute

// RememberFrom sets fromCookie if a link on another site has led a member to a target.
func (s *Server) RememberFrom(c *Call, target data.ID) {
	if c.Actor == nil {
		return
	}
	u, err := url.Parse(c.R.Header.Get("Referer"))
	if err != nil || u.Host == c.R.Host || u.Scheme+"://"+u.Host == s.SiteURL {
		return
	}
	host := strings.TrimPrefix(weburl.Host(u.Hostname()), "www.") // of an app, too
	if !isHost(host) {
		return
	}
	c.SetCookie(fromCookie, target.Text()+"."+host, fromLife)
}

// CameFrom returns the host whose link led a voter to a target, from fromCookie; "" for none.
func CameFrom(r *http.Request, target data.ID) string {
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

// isHost reports whether s is a host name as browsers send it, of at most 100 characters. Clients may send anything,
// and it is stored.
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

// fuzzer makes the fuzzed counts that this caller sees. They stay the same for five minutes. All visitors see the
// same ones, because they share pages.
func (s *Server) fuzzer(c *Call) ranking.Fuzzer {
	viewer := ""
	if c.Actor != nil {
		viewer = c.Actor.UserID.Text()
	}
	return ranking.NewFuzzer(s.fuzzKey, viewer, ranking.FuzzWindowOf(s.Source.Now()))
}

// Exact reports whether the caller sees the exact counts of a community: its moderators, approvers and administrators do. Call it after
// Call.Run.
func (c *Call) Exact(community string) bool {
	return c.Viewer != nil && c.Viewer.Approves(community)
}

// Votes makes the state of a target's vote buttons. Whether they are closed is left to the caller.
func (c *Call) Votes(target data.ID, ups, downs int64, mine int, exact bool) ui.Votes {
	v := ui.Votes{Target: target.Text(), Mine: mine}
	v.Ups, v.Downs = c.counts(ups, downs, mine, exact)
	v.Score = v.Ups - v.Downs
	return v
}

// Score returns the score that Votes shows.
func (c *Call) Score(ups, downs int64, mine int, exact bool) int64 {
	ups, downs = c.counts(ups, downs, mine, exact)
	return ups - downs
}

func (c *Call) counts(ups, downs int64, mine int, exact bool) (shownUps, shownDowns int64) {
	if exact {
		return ups, downs
	}
	return c.fuzz.Votes(ups, downs, mine)
}
