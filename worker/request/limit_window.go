package request

import (
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"net/http"
	"strconv"
	"time"

	"plaza/data/wire/upstash"
)

// Calls are counted in a sliding window: the calls of this window and, in proportion to the time that is left of it, the calls of the
// window before.
//
// Each instance counts by itself. That is enough while a member, or a visitor's network, has made at most 1/alonePart of the calls that the
// limit allows, in this window and the one before together. Most people vote, comment and search no more often, and counting in Redis costs
// three commands, for which the caller waits. Beyond that, Redis counts the calls of all instances, and the greater number is used. If
// a caller reaches several instances, each instance allows at most 1/alonePart of the limit more.
//
// Logging in, signing up and mails are always counted for all instances together (Limit.Network): by Redis or, while it is unavailable and
// on a site without it, by the database. Without Redis, each instance counts other calls by itself.
const alonePart = 8

const (
	windowsKept = 10_000

	// A search counts as one call before the site knows how long it keeps the database busy. Each chargeUnit then counts as one call more.
	chargeUnit = 25 * time.Millisecond
	chargeMax  = 20 // calls that one search counts as
)

// window has the calls of a subject that an instance has counted for one limit.
type window struct {
	at            time.Time // of the last call
	number        int64     // of its window, since 1970
	count, before int64     // calls of that window, and of the one before
	unsent        int64     // calls of that window that were not sent to Redis
	ends          time.Time // when the last of them stops counting
}

// window returns the window of a limit and subject, now. The caller holds s.mu.
func (s *Server) window(l Limit, subject string) *window {
	key, at := l.Name+":"+subject, s.Source.Now()
	number := at.UnixNano() / int64(l.Per)
	w := s.windows[key]
	if w == nil {
		if len(s.windows) >= windowsKept {
			maps.DeleteFunc(s.windows, func(_ string, w *window) bool { return at.After(w.ends) })
		}
		if len(s.windows) >= windowsKept {
			clear(s.windows)
		}
		w = &window{}
		s.windows[key] = w
	}
	switch w.number {
	case number:
	case number - 1:
		*w = window{before: w.count}
	default:
		*w = window{}
	}
	w.at, w.number, w.ends = at, number, time.Unix(0, (number+2)*int64(l.Per))
	return w
}

// count counts a call.
func (s *Server) count(c *Call, l Limit, subject string) (counted window, err error) {
	s.mu.Lock()
	w := s.window(l, subject)
	w.count++
	w.unsent++
	counted = *w
	alone := !l.Network && (s.Redis == nil || s.farBelow(l, counted))
	if !alone {
		w.unsent = 0
	}
	s.mu.Unlock()
	if alone {
		return counted, nil
	}
	var count, before int64 // of all instances
	life, counts := 2*l.Per+time.Second, false
	if s.Redis != nil {
		count, before, err = s.countInRedis(c.R.Context(), "limit:"+l.Name+":"+subject+":", counted, life)
		if counts = err == nil; !counts {
			s.mu.Lock()
			s.window(l, subject).unsent += counted.unsent
			s.mu.Unlock()
			s.Log.WarnContext(c.R.Context(), "rate limit not counted in Redis", "request", c.ID, "limit", l.Name, "error", err)
		}
	}
	if !counts && l.Network {
		bucket := binary.BigEndian.Uint16(s.Sign("limit\x00" + subject))
		if count, before, err = s.Calls.Count(c.R.Context(), l.Name, bucket, counted.number, life); err != nil {
			return window{}, err
		}
	}
	counted.count, counted.before = max(counted.count, count), max(counted.before, before)
	return counted, nil
}

// farBelow reports whether the calls are at most 1/alonePart of the limit, or of the tighter one of new members.
func (s *Server) farBelow(l Limit, w window) bool {
	maxCalls := l.Max
	if tight := YoungLimits[l.Name].Max; tight > 0 {
		maxCalls = min(maxCalls, tight)
	}
	return w.count+w.before <= int64(maxCalls*s.LimitFactor/alonePart)
}

// countInRedis adds the unsent calls of a window in Redis. It returns the calls of all instances. An impossible number is an
// error.
func (s *Server) countInRedis(ctx context.Context, key string, w window, life time.Duration) (count, before int64, err error) {
	now := key + strconv.FormatInt(w.number, 10)
	replies, err := s.Redis.Pipeline(ctx, upstash.Cmd{"INCRBY", now, w.unsent}, upstash.Cmd{"EXPIRE", now, int(life / time.Second)},
		upstash.Cmd{"GET", key + strconv.FormatInt(w.number-1, 10)})
	if err == nil {
		err = upstash.FirstError(replies)
	}
	if err == nil {
		count, err = replies[0].Int()
	}
	if err == nil && !replies[2].Nil() {
		before, err = replies[2].Int()
	}
	if err == nil && (count < w.unsent || before < 0) {
		err = fmt.Errorf("redis has counted %d calls, and %d before", count, before)
	}
	return count, before, err
}

// Charge counts a search once more for each chargeUnit of the time for which it has kept the database busy.
func (s *Server) Charge(c *Call, l Limit, took time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, subject := range c.subjects(l) {
		w, units := s.window(l, subject), min(int64(took/chargeUnit), chargeMax)
		w.count += units
		w.unsent += units
	}
}

// used returns how many calls counted at the time of the last one, and how much of the window was left then. Refused calls of the window
// before don't count.
func (l Limit) used(maxCalls int, w window) (calls float64, rest time.Duration) {
	rest = l.Per - time.Duration(w.at.UnixNano()%int64(l.Per))
	return float64(min(w.before, int64(maxCalls)))*float64(rest)/float64(l.Per) + float64(w.count), rest
}

// wait returns after how many seconds a call is allowed; 0 if the last one is.
func (l Limit) wait(maxCalls int, w window) int {
	calls, rest := l.used(maxCalls, w)
	if calls <= float64(maxCalls) {
		return 0
	}
	// By then, at least one call of this window doesn't count any more.
	return int((rest + l.Per/time.Duration(maxCalls) + time.Second - 1) / time.Second)
}

// setHeaders sets the headers with a limit and what is left of it, as in draft-ietf-httpapi-ratelimit-headers-10.
func (l Limit) setHeaders(h http.Header, maxCalls int, w window) {
	calls, rest := l.used(maxCalls, w)
	setLimitHeaders(h, l.Name, int64(maxCalls), l.Per, int64(max(float64(maxCalls)-calls, 0)), rest)
}

func setLimitHeaders(h http.Header, name string, quota int64, per time.Duration, remaining int64, until time.Duration) {
	seconds := func(d time.Duration) string { return strconv.Itoa(int((d + time.Second - 1) / time.Second)) }
	h.Set("RateLimit-Policy", `"`+name+`";q=`+strconv.FormatInt(quota, 10)+`;w=`+seconds(per))
	h.Set("RateLimit", `"`+name+`";r=`+strconv.FormatInt(remaining, 10)+`;t=`+seconds(until))
}
