package worker

import (
	"cmp"
	"context"
	"net"
	"net/netip"
	"strconv"
	"time"

	"plaza/data"
	"plaza/data/upstash"
)

// limited is a call to be counted, and what was counted: calls of this window and of
// the one before.
type limited struct {
	key           string
	window        int64
	life          int // seconds that a window's counter is needed for
	count, before int64
	err           error // of this call's own counters
}

// countCalls counts calls of several requests in one Redis request.
func (a *App) countCalls(ctx context.Context, calls []*limited) error {
	cmds := make([]upstash.Cmd, 0, 3*len(calls))
	for _, l := range calls {
		current := l.key + strconv.FormatInt(l.window, 10)
		cmds = append(cmds, upstash.Cmd{"INCR", current}, upstash.Cmd{"EXPIRE", current, l.life},
			upstash.Cmd{"GET", l.key + strconv.FormatInt(l.window-1, 10)})
	}
	replies, err := a.Redis.Pipeline(ctx, cmds...)
	if err != nil {
		return err
	}
	for i, l := range calls {
		if l.err = upstash.FirstError(replies[3*i : 3*i+3]); l.err != nil {
			continue
		}
		l.count, _ = replies[3*i].Int()
		if text, ok, _ := replies[3*i+2].Text(); ok {
			l.before, _ = strconv.ParseInt(text, 10, 64)
		}
	}
	return nil
}

// checkLimit counts a call in a sliding window: the calls of this window and, in
// proportion to the time that is left of it, those of the one before. One Redis
// request, shared with whoever calls at the same moment. When Redis can't be asked,
// sign-in and sign-up wait and the rest goes on.
func (a *App) checkLimit(c *call) error {
	l := c.route.limit
	now := a.Source.Now()
	counted, err := a.limits.Do(c.r.Context(), limited{
		key: "limit:" + l.name + ":" + a.limitSubject(c) + ":", window: now.UnixNano() / int64(l.per), life: int(2*l.per/time.Second) + 1})
	if err = cmp.Or(err, counted.err); err != nil {
		a.Log.WarnContext(c.r.Context(), "rate limit not counted", "request", c.id, "limit", l.name, "error", err)
		if l.closed {
			return &data.Error{Code: data.Unavailable, Message: "Signing in is not possible right now. Please try again in a moment.", Err: err}
		}
		return nil
	}
	into := time.Duration(now.UnixNano() % int64(l.per))
	used := float64(counted.before)*float64(l.per-into)/float64(l.per) + float64(counted.count)
	if used <= float64(l.max*a.LimitFactor) {
		return nil
	}
	wait := (l.per - into + time.Second - 1) / time.Second
	c.w.Header().Set("Retry-After", strconv.Itoa(int(wait)))
	return &data.Error{Code: data.RateLimited, Message: "That was a lot in a short time. Please wait " + waitText(int(wait)) + " and try again."}
}

func waitText(seconds int) string {
	switch {
	case seconds <= 1:
		return "a second"
	case seconds < 120:
		return strconv.Itoa(seconds) + " seconds"
	}
	return strconv.Itoa((seconds+59)/60) + " minutes"
}

// limitSubject is whom a limit counts: the member, or the visitor's network, for IPv6
// the /64 that one subscriber has.
func (a *App) limitSubject(c *call) string {
	if c.actor != nil {
		return c.actor.UserID.Text()
	}
	host, _, err := net.SplitHostPort(c.r.RemoteAddr)
	if err != nil {
		host = c.r.RemoteAddr
	}
	addr, err := netip.ParseAddr(host)
	if err != nil {
		return "unknown"
	}
	if addr = addr.Unmap(); addr.Is6() {
		prefix, _ := addr.Prefix(64)
		return prefix.Addr().String()
	}
	return addr.String()
}
