package request

import (
	"net/http"
	"strconv"
	"time"

	"plaza/data"
	"plaza/locale"
	"plaza/render/ui"
	"plaza/worker/request/limit"
)

// checkLimit counts a call for the route's limit, and refuses it if there were too many. New members have tighter limits.
func (s *Server) checkLimit(c *Call) error {
	l := c.Route.Limit
	if l == limit.View { // in memory, as reading is
		if err := s.MayRead(c); err != nil {
			return err
		}
		s.budget.SpendCall(c.reader(), l)
		return nil
	}
	for i, subject := range c.subjects(l) {
		if i > 0 {
			l.Max *= wideFactor
		}
		counted, wait, err := s.CountCall(c, l, subject)
		switch {
		case wait > 0:
			err = RateLimitError(c, wait, locale.With("That was a lot in a short time. Please wait {} and try again.", limit.WaitText(wait)))
		case err == nil && c.Actor != nil && !l.Network:
			err = s.refuseYoung(c, counted)
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
func (c *Call) subjects(l limit.Limit) []string {
	if c.Actor != nil && !l.Network {
		return []string{c.Actor.UserID.Text()}
	}
	return limit.Networks(c.R.RemoteAddr)
}

// refuseYoung refuses a counted call that the route's own limit allows, if the member is new and the call is beyond the tighter limit.
// The karma is read only for calls beyond that limit.
func (s *Server) refuseYoung(c *Call, counted limit.Counted) error {
	tight, ends := limit.Young[counted.Name], c.Actor.UserID.Time().Add(limit.YoungAge)
	if tight.Max == 0 || !counted.At.Before(ends) {
		return nil
	}
	counted.Max = tight.Max * s.LimitFactor
	wait := counted.Wait()
	if wait == 0 {
		return nil
	}
	r := s.DB.Read()
	viewer, karma := s.Accounts.FindViewer(r, *c.Actor), s.Comments.FindKarma(r, c.Actor.Name)
	if err := r.Run(c.R.Context()); err != nil || viewer.Admin || karma.Posts+karma.Comments >= limit.YoungKarma {
		return err
	}
	return RateLimitError(c, wait, locale.With("New members may {} {} times {}. Please wait {} and try again. You are new until {}, "+
		"or until you have {} karma.", tight.Does, counted.Max, limit.PeriodText(counted.Per), limit.WaitText(wait),
		locale.Day(ends.UTC()), limit.YoungKarma))
}

// CountCall counts a call. It returns what was counted, and how many seconds to wait; 0 for a call that is allowed.
func (s *Server) CountCall(c *Call, l limit.Limit, subject string) (counted limit.Counted, wait int, err error) {
	counted, err = s.counter.Count(c.R.Context(), l, subject)
	if counted.Missed != nil {
		s.Log.WarnContext(c.R.Context(), "rate limit not counted in Redis", "request", c.ID, "limit", l.Name, "error", counted.Missed)
	}
	if err != nil {
		return counted, 0, err
	}
	if c.Actor != nil || !SafeMethod(c.R.Method) { // a response that the edge may cache must have nothing about this caller
		counted.SetHeaders(c.W.Header())
	}
	return counted, counted.Wait(), nil
}

// Charge counts a search more than once if it has kept the database busy for long.
func (s *Server) Charge(c *Call, l limit.Limit, took time.Duration) {
	s.counter.Charge(l, c.subjects(l), took)
}

// LimitTries counts a try for an account or address, for all networks together, and refuses it if there were too many.
func (s *Server) LimitTries(c *Call, l limit.Limit, subject string) error {
	_, wait, err := s.CountCall(c, l, subject)
	if err == nil && wait > 0 {
		err = RateLimitError(c, wait, locale.With("Too many tries. Please wait {} and try again.", limit.WaitText(wait)))
	}
	return err
}

// LimitGuesses counts a try to log in under a name, and refuses it if there were too many. It does the same whether
// or not an account has the name. It is not called for networks where the member has logged in before.
func (s *Server) LimitGuesses(c *Call, name string) (err error) {
	subject, wait := s.Key.Hash("name", name), 0
	if network := s.NetworkKey(c); network != "" {
		_, wait, err = s.CountCall(c, limit.Guess, network+subject)
	}
	if wait == 0 && err == nil {
		_, wait, err = s.CountCall(c, limit.GuessAll, subject)
	}
	if wait == 0 {
		return err
	}
	return RateLimitError(c, wait, locale.With("Too many tries to log in under this name. Please wait {}, or log in with the username from a "+
		"network where you have logged in before, {}.", limit.WaitText(wait), s.otherWays()))
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

// network returns the network of the caller's subscriber; "" if it is unknown.
func (c *Call) network() string {
	if networks := limit.Networks(c.R.RemoteAddr); len(networks) > 0 {
		return networks[0]
	}
	return ""
}

// reader returns whose budget a call is charged to: the member, or a visitor's network. It is "" if visitors can't be
// distinguished. They have no budget then, because one shared budget would lock all of them out.
func (c *Call) reader() string {
	if c.Actor != nil {
		return c.Actor.UserID.Text()
	}
	return c.network()
}

// MayRead refuses a reader whose budget is used up.
func (s *Server) MayRead(c *Call) error {
	var h http.Header // none of a response that the edge caches
	if c.Actor != nil && (c.ByToken || c.Format != nil) {
		h = c.W.Header()
	}
	wait := s.budget.Wait(c.reader(), h)
	if wait == 0 {
		return nil
	}
	return RateLimitError(c, wait, locale.With("That was a lot of reading in a short time. Please wait {} and try again.",
		limit.WaitText(wait)))
}

// spendRead adds the rows that a call has read to its reader's spending, without rows that were added before.
func (s *Server) spendRead(c *Call, before int64) {
	s.budget.Spend(c.reader(), float64(c.rows.RowsRead()-before))
}

// visit returns when a visitor's page may be made (limit.Budget.Visit); release ends the visit. Beyond the bounds it returns RateLimited.
// Then the edge cache shows an older copy of the page, or a 429 if it has none. Only pages with CacheListing or CacheThread are bounded,
// and only for visitors; those that are always made for them (Always) are not.
func (s *Server) visit(c *Call) (release func(), err error) {
	if c.Actor != nil || !SafeMethod(c.R.Method) || c.Route.WhenCachedOnly == Always ||
		c.Route.Cache != CacheListing && c.Route.Cache != CacheThread {
		return func() {}, nil
	}
	v := limit.Visit{Network: c.network(), Search: c.Route.Limit == limit.Search, Renews: c.R.Header.Get(renewalHeader) != ""}
	release, waited, ok := s.budget.Visit(c.R.Context(), v, c.rows.RowsRead)
	if c.waited = waited; ok {
		return release, nil
	}
	busy := RateLimitError(c, 1, "The site is very busy right now, and members go first. Please try again in a few seconds, or log in.")
	busy.See = ui.WithReturn("/login", c.place())
	return nil, busy
}

// NetworkKey returns a key for the caller's network, to be stored instead of its address; "" if it is unknown.
func (s *Server) NetworkKey(c *Call) string {
	if c.network() == "" {
		return ""
	}
	return s.Key.Hash("network", c.network())
}
