package request

import (
	"encoding/hex"
	"net"
	"net/netip"
	"strconv"
	"time"

	"plaza/data"
	"plaza/locale"
)

// checkLimit counts a call for the route's limit, and refuses it if there were too many. New members have tighter limits.
func (s *Server) checkLimit(c *Call) error {
	l := c.Route.Limit
	if l == LimitView {
		return s.spendCall(c, l)
	}
	for i, subject := range c.subjects(l) {
		if i > 0 {
			l.Max *= wideFactor
		}
		counted, wait, err := s.countCall(c, l, subject)
		switch {
		case wait > 0:
			err = RateLimitError(c, wait, locale.With("That was a lot in a short time. Please wait {} and try again.", WaitText(wait)))
		case err == nil && c.Actor != nil && !l.Network:
			err = s.refuseYoung(c, l, counted)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// wideFactor multiplies a limit for the wider network around a subscriber's network.
const wideFactor = 4

// subjects returns those whose calls a limit counts: the member who calls, or the caller's networks. The wider network is last, so calls
// that a subscriber's own limit refuses don't count for the neighbours. If the address is unknown, nothing is counted, because all
// visitors would be counted as one (docs/operations/client-address.md).
func (c *Call) subjects(l Limit) []string {
	if c.Actor != nil && !l.Network {
		return []string{c.Actor.UserID.Text()}
	}
	return networksOf(c.R.RemoteAddr)
}

// refuseYoung refuses a counted call that the route's own limit allows, if the member is new and the call is beyond the tighter limit.
// The karma is read only for calls beyond that limit.
func (s *Server) refuseYoung(c *Call, l Limit, counted window) error {
	tight, ends := YoungLimits[l.Name], c.Actor.UserID.Time().Add(youngAge)
	if tight.Max == 0 || !counted.at.Before(ends) {
		return nil
	}
	maxCalls := tight.Max * s.LimitFactor
	wait := l.wait(maxCalls, counted)
	if wait == 0 {
		return nil
	}
	r := s.DB.Read()
	viewer, karma := s.Accounts.FindViewer(r, *c.Actor), s.Comments.FindKarma(r, c.Actor.Name)
	if err := r.Run(c.R.Context()); err != nil || viewer.Admin || karma.Posts+karma.Comments >= youngKarma {
		return err
	}
	return RateLimitError(c, wait, locale.With("New members may {} {} times {}. Please wait {} and try again. You are new until {}, "+
		"or until you have {} karma.", tight.Does, maxCalls, PeriodText(l.Per), WaitText(wait), locale.Day(ends.UTC()), youngKarma))
}

// CountCall counts a call, and returns how many seconds to wait; 0 for a call that is allowed.
func (s *Server) CountCall(c *Call, l Limit, subject string) (wait int, err error) {
	_, wait, err = s.countCall(c, l, subject)
	return wait, err
}

func (s *Server) countCall(c *Call, l Limit, subject string) (counted window, wait int, err error) {
	counted, err = s.count(c, l, subject)
	if err != nil {
		return counted, 0, err
	}
	maxCalls := l.Max * s.LimitFactor
	if c.Actor != nil || !SafeMethod(c.R.Method) { // a response that the edge may cache must have nothing about this caller
		l.setHeaders(c.W.Header(), maxCalls, counted)
	}
	return counted, l.wait(maxCalls, counted), nil
}

// LimitTries counts a try for an account or address, for all networks together, and refuses it if there were too many.
func (s *Server) LimitTries(c *Call, l Limit, subject string) error {
	wait, err := s.CountCall(c, l, subject)
	if err == nil && wait > 0 {
		err = RateLimitError(c, wait, locale.With("Too many tries. Please wait {} and try again.", WaitText(wait)))
	}
	return err
}

// LimitGuesses counts a try to log in under a name, and refuses it if there were too many. It does the same whether
// or not an account has the name. It is not called for networks where the member has logged in before.
func (s *Server) LimitGuesses(c *Call, name string) (err error) {
	subject, wait := s.SecretKey("name", name), 0
	if network := s.NetworkKey(c); network != "" {
		wait, err = s.CountCall(c, limitGuess, network+subject)
	}
	if wait == 0 && err == nil {
		wait, err = s.CountCall(c, limitGuessAll, subject)
	}
	if wait == 0 {
		return err
	}
	return RateLimitError(c, wait, locale.With("Too many tries to log in under this name. Please wait {}, or log in with the username from a "+
		"network "+
		"where you have logged in before, {}.", WaitText(wait), s.otherWays()))
}

// otherWays names the ways to log in that this site offers beside a password; guesses under a name do not close them. It names the same
// ways for every account.
func (s *Server) otherWays() locale.Text {
	ways := []locale.Text{"with a passkey"}
	if s.Mail != nil {
		ways = append(ways, "by a link that we mail you")
	}
	for _, p := range s.Providers {
		ways = append(ways, locale.With("with your account at {}", p.Label))
	}
	if len(ways) == 1 {
		return locale.With("or {}", ways[0])
	}
	return either(ways)
}

// RateLimitError returns the error for a caller who has to wait for so many seconds, and sets Retry-After.
func RateLimitError(c *Call, wait int, message locale.Text) *data.Error {
	c.W.Header().Set("Retry-After", strconv.Itoa(wait))
	return &data.Error{Code: data.RateLimited, Message: message}
}

// WaitText returns the text of a duration to wait.
func WaitText(seconds int) locale.Text {
	if seconds < 120 {
		return locale.With("a second|{} seconds", max(seconds, 1))
	}
	return locale.With("a minute|{} minutes", (seconds+59)/60)
}

// PeriodText returns the text of a limit's period, for use after a number of times: "an hour", "in 10 minutes".
func PeriodText(per time.Duration) locale.Text {
	if per == time.Hour {
		return "an hour"
	}
	return locale.With("in a minute|in {} minutes", int(per/time.Minute))
}

// networksOf returns the networks that an address counts for: its subscriber's, which is the address itself or, for IPv6,
// the /56, and for IPv6 the /48 around that, which some subscribers have (RFC 6177). None if the address is unknown.
func networksOf(remote string) []string {
	host, _, err := net.SplitHostPort(remote)
	if err != nil {
		host = remote
	}
	addr, err := netip.ParseAddr(host)
	if err != nil {
		return nil
	}
	if addr = addr.Unmap().WithZone(""); !addr.Is6() {
		return []string{addr.String()}
	}
	home, _ := addr.Prefix(56)
	site, _ := addr.Prefix(48)
	return []string{home.String(), site.String()}
}

// network returns the network of the caller's subscriber; "" if it is unknown.
func (c *Call) network() string {
	if networks := networksOf(c.R.RemoteAddr); len(networks) > 0 {
		return networks[0]
	}
	return ""
}

// NetworkKey returns a key for the caller's network, to be stored instead of its address; "" if it is unknown.
func (s *Server) NetworkKey(c *Call) string {
	if c.network() == "" {
		return ""
	}
	return s.SecretKey("network", c.network())
}

// SecretKey makes a key of fixed length for a text that must not be stored. Only this site can find out which text it is.
func (s *Server) SecretKey(kind, text string) string {
	return hex.EncodeToString(s.Sign(kind + "\x00" + text)[:12])
}
