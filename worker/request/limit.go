package request

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"time"

	"plaza/data"
	"plaza/data/wire/upstash"
	"plaza/locale"
)

// limited is a call that is to be counted. Counting fills in count and before: the calls of its window and of the
// window before.
type limited struct {
	key           string
	cost          int // as how many calls it counts
	window        int64
	life          int // seconds that a window's counter is needed for
	count, before int64
	err           error // of this call's own counters
}

// countCalls counts the calls of several requests by one Redis request.
func (s *Server) countCalls(ctx context.Context, calls []*limited) error {
	cmds := make([]upstash.Cmd, 0, 3*len(calls))
	for _, l := range calls {
		current := l.key + strconv.FormatInt(l.window, 10)
		cmds = append(cmds, upstash.Cmd{"INCRBY", current, max(l.cost, 1)}, upstash.Cmd{"EXPIRE", current, l.life},
			upstash.Cmd{"GET", l.key + strconv.FormatInt(l.window-1, 10)})
	}
	replies, err := s.Redis.Pipeline(ctx, cmds...)
	if err != nil {
		return err
	}
	for i, l := range calls {
		l.err = l.take(replies[3*i : 3*i+3])
	}
	return nil
}

// take reads the answers to INCRBY, EXPIRE and GET. One that can't be true is an error, so that the call is counted elsewhere.
func (l *limited) take(replies []upstash.Reply) (err error) {
	if err = upstash.FirstError(replies); err != nil {
		return err
	}
	if l.count, err = replies[0].Int(); err != nil {
		return err
	}
	if !replies[2].Nil() {
		if l.before, err = replies[2].Int(); err != nil {
			return err
		}
	}
	if l.count < int64(max(l.cost, 1)) || l.before < 0 {
		return fmt.Errorf("redis has counted %d calls, and %d before", l.count, l.before)
	}
	return nil
}

// checkLimit counts a call for the route's limit, and refuses it when there were too many. It is counted for the
// member who calls, or for a visitor's network. Logging in and signing up are always counted for the network. Members who are new have
// tighter limits.
func (s *Server) checkLimit(c *Call) error {
	l := c.Route.Limit
	if l == LimitView {
		return s.spendCall(c, l)
	}
	if c.Actor != nil && !l.Network {
		now := s.Source.Now()
		counted, err := s.count(c, l, c.Actor.UserID.Text(), now)
		if err != nil {
			return err
		}
		l.setHeaders(c.W.Header(), l.Max*s.LimitFactor, counted, now)
		if wait := l.waitAt(now, l.Max*s.LimitFactor, counted); wait > 0 {
			return errTooFast(c, wait)
		}
		return s.refuseYoung(c, l, counted, now)
	}
	near, far := networksOf(c.R.RemoteAddr)
	if near == "" {
		return nil // all visitors would be counted as one (docs/operations.md)
	}
	// The wider network last: calls that a subscriber's own limit refuses use up nothing of the neighbours'.
	if err := s.refuseFast(c, l, near); err != nil || far == "" {
		return err
	}
	l.Max *= farMax
	return s.refuseFast(c, l, far)
}

// refuseFast counts a call, and refuses when there were too many.
func (s *Server) refuseFast(c *Call, l Limit, subject string) error {
	wait, err := s.CountCall(c, l, subject)
	if wait > 0 {
		return errTooFast(c, wait)
	}
	return err
}

func errTooFast(c *Call, wait int) error {
	return TooFast(c, wait, locale.With("That was a lot in a short time. Please wait {} and try again.", WaitText(wait)))
}

// TooFast is the error that asks for a pause of so many seconds.
func TooFast(c *Call, wait int, message locale.Text) *data.Error {
	c.W.Header().Set("Retry-After", strconv.Itoa(wait))
	return &data.Error{Code: data.RateLimited, Message: message}
}

// CountCall counts a call, and returns how many seconds to wait; 0 for a call that is allowed.
func (s *Server) CountCall(c *Call, l Limit, subject string) (wait int, err error) {
	now := s.Source.Now()
	counted, err := s.count(c, l, subject, now)
	if err != nil {
		return 0, err
	}
	if !SafeMethod(c.R.Method) { // what the edge keeps for others says nothing of this caller
		l.setHeaders(c.W.Header(), l.Max*s.LimitFactor, counted, now)
	}
	return l.waitAt(now, l.Max*s.LimitFactor, counted), nil
}

// setHeaders puts a limit and what is left of it into the headers of an answer, as draft-ietf-httpapi-ratelimit-headers-10 writes them.
func (l Limit) setHeaders(h http.Header, most int, counted limited, now time.Time) {
	ago := time.Duration(now.UnixNano() % int64(l.Per))
	before := float64(min(counted.before, int64(most))) * float64(l.Per-ago) / float64(l.Per)
	left := max(int64(float64(most)-before-float64(counted.count)), 0)
	setLimitHeaders(h, l.Name, int64(most), l.Per, left, l.Per-ago)
}

func setLimitHeaders(h http.Header, name string, most int64, per time.Duration, left int64, until time.Duration) {
	seconds := func(d time.Duration) string { return strconv.Itoa(int((d + time.Second - 1) / time.Second)) }
	h.Set("RateLimit-Policy", `"`+name+`";q=`+strconv.FormatInt(most, 10)+`;w=`+seconds(per))
	h.Set("RateLimit", `"`+name+`";r=`+strconv.FormatInt(left, 10)+`;t=`+seconds(until))
}

// count counts a call in a sliding window: the calls of this window and, in proportion to the time that is left
// of it, those of the window before. The instance alone counts those who call seldom (limit_tally.go). Other calls cost a Redis
// request, which they share with calls of the same moment. While Redis can't be asked, or the site has none, the database counts logging in
// and signing up, and each instance counts other calls for itself.
func (s *Server) count(c *Call, l Limit, subject string, now time.Time) (counted limited, err error) {
	window, life := now.UnixNano()/int64(l.Per), 2*l.Per+time.Second
	t, send := s.tallyCall(l, subject, window, int64(1+s.takeOwed(l, subject)))
	if send {
		counted, err = s.limits.Do(c.R.Context(), limited{
			key: "limit:" + l.Name + ":" + subject + ":", cost: int(t.unsent), window: window, life: int(life / time.Second)})
		if err = cmp.Or(err, counted.err); err == nil {
			counted.before += t.unsentBefore
			return counted, nil
		}
		s.keepUnsent(l, subject, t)
		s.Log.WarnContext(c.R.Context(), "rate limit not counted in Redis", "request", c.ID, "limit", l.Name, "error", err)
	}
	if !l.Network {
		return limited{count: t.count, before: t.before}, nil
	}
	bucket := binary.BigEndian.Uint16(s.Sign("limit\x00" + subject))
	counted.count, counted.before, err = s.Calls.Count(c.R.Context(), l.Name, bucket, window, life)
	return counted, err
}

// waitAt is wait for a call that was counted now.
func (l Limit) waitAt(now time.Time, most int, counted limited) int {
	return l.wait(most, counted.count, counted.before, time.Duration(now.UnixNano()%int64(l.Per)))
}

// wait returns after how many seconds a call is allowed; 0 when this one is. count is the number of this call in its
// window, which began ago, and before is the number of calls in the previous window. Of those, the ones that were
// refused don't count.
func (l Limit) wait(most int, count, before int64, ago time.Duration) int {
	before = min(before, int64(most))
	if float64(before)*float64(l.Per-ago)/float64(l.Per)+float64(count) <= float64(most) {
		return 0
	}
	// By then, at least one call of this window doesn't count any more.
	return int((l.Per - ago + l.Per/time.Duration(most) + time.Second - 1) / time.Second)
}

// WaitText says how long a wait is.
func WaitText(seconds int) locale.Text {
	if seconds < 120 {
		return locale.With("a second|{} seconds", max(seconds, 1))
	}
	return locale.With("a minute|{} minutes", (seconds+59)/60)
}

// farMax is how many times as often as a subscriber's network the network around it may call.
const farMax = 4

// networksOf are the networks that an address counts for: its subscriber's, which is the address itself or, for IPv6,
// the /56, and for IPv6 the /48 around that, which some subscribers have (RFC 6177). "" when the address is unknown.
func networksOf(remote string) (near, far string) {
	host, _, err := net.SplitHostPort(remote)
	if err != nil {
		host = remote
	}
	addr, err := netip.ParseAddr(host)
	if err != nil {
		return "", ""
	}
	if addr = addr.Unmap().WithZone(""); !addr.Is6() {
		return addr.String(), ""
	}
	home, _ := addr.Prefix(56)
	site, _ := addr.Prefix(48)
	return home.String(), site.String()
}

// NetworkKey stands for the caller's network where its address is not to be stored; "" when it is unknown.
func (s *Server) NetworkKey(c *Call) string {
	near, _ := networksOf(c.R.RemoteAddr)
	if near == "" {
		return ""
	}
	return s.SecretKey("network", near)
}

// SecretKey makes a key of fixed length for a text that must not be stored. Only this site can find out which text it is.
func (s *Server) SecretKey(kind, text string) string {
	return hex.EncodeToString(s.Sign(kind + "\x00" + text)[:12])
}

// LimitTries counts a try for an account or address, from wherever it comes, and refuses when there were too many.
func (s *Server) LimitTries(c *Call, l Limit, subject string) error {
	wait, err := s.CountCall(c, l, subject)
	if err == nil && wait > 0 {
		err = TooFast(c, wait, locale.With("Too many tries. Please wait {} and try again.", WaitText(wait)))
	}
	return err
}
