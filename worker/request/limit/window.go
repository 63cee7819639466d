package limit

import (
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"net/http"
	"strconv"
	"sync"
	"time"

	"plaza/data/site/ratelimit"
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

// Counter counts calls, for the subjects of limits.
type Counter struct {
	Redis  *upstash.Client  // nil for a site without Redis
	Calls  *ratelimit.Store // counts for all instances when Redis does not
	Factor int              // multiplies every limit
	Now    func() time.Time
	Sign   func(text string) []byte // returns a keyed hash of a text, which nobody else can compute

	mu      sync.Mutex         // never held across I/O
	windows map[string]*window // by limit and subject
}

// window has the calls of a subject that an instance has counted for one limit.
type window struct {
	At            time.Time // of the last call
	number        int64     // of its window, since 1970
	count, before int64     // calls of that window, and of the one before
	unsent        int64     // calls of that window that were not sent to Redis
	ends          time.Time // when the last of them stops counting
}

// Counted is what was counted for a subject and a limit. Its Max is multiplied by the factor.
type Counted struct {
	Limit
	window
	Missed error // why Redis has not counted the call; nil if it has, or was not asked
}

// window returns the window of a limit and subject, now. The caller holds k.mu.
func (k *Counter) window(l Limit, subject string) *window {
	key, at := l.Name+":"+subject, k.Now()
	number := at.UnixNano() / int64(l.Per)
	w := k.windows[key]
	if w == nil {
		if len(k.windows) >= windowsKept {
			maps.DeleteFunc(k.windows, func(_ string, w *window) bool { return at.After(w.ends) })
		}
		if k.windows == nil || len(k.windows) >= windowsKept {
			k.windows = map[string]*window{}
		}
		w = &window{}
		k.windows[key] = w
	}
	switch w.number {
	case number:
	case number - 1:
		*w = window{before: w.count}
	default:
		*w = window{}
	}
	w.At, w.number, w.ends = at, number, time.Unix(0, (number+2)*int64(l.Per))
	return w
}

// Count counts a call. Unavailable, if the database has to count it and can't.
func (k *Counter) Count(ctx context.Context, l Limit, subject string) (counted Counted, err error) {
	k.mu.Lock()
	w := k.window(l, subject)
	w.count++
	w.unsent++
	counted = Counted{Limit: l, window: *w}
	counted.Max *= k.Factor
	alone := !l.Network && (k.Redis == nil || k.farBelow(l, *w))
	if !alone {
		w.unsent = 0
	}
	k.mu.Unlock()
	if alone {
		return counted, nil
	}
	var count, before int64 // of all instances
	life, counts := 2*l.Per+time.Second, false
	if k.Redis != nil {
		count, before, counted.Missed = k.countInRedis(ctx, "limit:"+l.Name+":"+subject+":", counted.window, life)
		if counts = counted.Missed == nil; !counts {
			k.mu.Lock()
			k.window(l, subject).unsent += counted.unsent
			k.mu.Unlock()
		}
	}
	if !counts && l.Network {
		bucket := binary.BigEndian.Uint16(k.Sign("limit\x00" + subject))
		if count, before, err = k.Calls.Count(ctx, l.Name, bucket, counted.number, life); err != nil {
			return counted, err
		}
	}
	counted.count, counted.before = max(counted.count, count), max(counted.before, before)
	return counted, nil
}

// farBelow reports whether the calls are at most 1/alonePart of the limit, or of the tighter one of new members.
func (k *Counter) farBelow(l Limit, w window) bool {
	maxCalls := l.Max
	if tight := Young[l.Name].Max; tight > 0 {
		maxCalls = min(maxCalls, tight)
	}
	return w.count+w.before <= int64(maxCalls*k.Factor/alonePart)
}

// countInRedis adds the unsent calls of a window in Redis. It returns the calls of all instances. An impossible number is an
// error.
func (k *Counter) countInRedis(ctx context.Context, key string, w window, life time.Duration) (count, before int64, err error) {
	now := key + strconv.FormatInt(w.number, 10)
	replies, err := k.Redis.Pipeline(ctx, upstash.Cmd{"INCRBY", now, w.unsent}, upstash.Cmd{"EXPIRE", now, int(life / time.Second)},
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
func (k *Counter) Charge(l Limit, subjects []string, took time.Duration) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, subject := range subjects {
		w, units := k.window(l, subject), min(int64(took/chargeUnit), chargeMax)
		w.count += units
		w.unsent += units
	}
}

// used returns how many calls counted at the time of the last one, and how much of the window was left then. Refused calls of the window
// before don't count.
func (c Counted) used() (calls float64, rest time.Duration) {
	rest = c.Per - time.Duration(c.At.UnixNano()%int64(c.Per))
	return float64(min(c.before, int64(c.Max)))*float64(rest)/float64(c.Per) + float64(c.count), rest
}

// Wait returns after how many seconds a call is allowed; 0 if the last one is.
func (c Counted) Wait() int {
	calls, rest := c.used()
	if calls <= float64(c.Max) {
		return 0
	}
	// By then, at least one call of this window doesn't count any more.
	return int((rest + c.Per/time.Duration(c.Max) + time.Second - 1) / time.Second)
}

// SetHeaders sets the headers with a limit and what is left of it, as in draft-ietf-httpapi-ratelimit-headers-10.
func (c Counted) SetHeaders(h http.Header) {
	calls, rest := c.used()
	setHeaders(h, c.Name, int64(c.Max), c.Per, int64(max(float64(c.Max)-calls, 0)), rest)
}

func setHeaders(h http.Header, name string, quota int64, per time.Duration, remaining int64, until time.Duration) {
	seconds := func(d time.Duration) string { return strconv.Itoa(int((d + time.Second - 1) / time.Second)) }
	h.Set("RateLimit-Policy", `"`+name+`";q=`+strconv.FormatInt(quota, 10)+`;w=`+seconds(per))
	h.Set("RateLimit", `"`+name+`";r=`+strconv.FormatInt(remaining, 10)+`;t=`+seconds(until))
}
