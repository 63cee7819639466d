// Package views counts the viewers of posts and profiles, each viewer once a week. Redis has a HyperLogLog for each subject and week, which
// estimates the number of viewers and does not store who they were. Flush adds the numbers to posts.views and users.views; it may be
// stopped at any point and repeated.
//
// Begin with Store.Count and Store.Flush. docs/inside/lists.md says which views count.
package views

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/wire/upstash"
)

// Store counts views.
type Store struct {
	data.Base
	Redis *upstash.Client // nil for a site without Redis, which counts no views

	counted counted
}

// Subject is a post or a member's profile.
type Subject struct{ Post, Member data.ID }

// String returns p and the id of a post, or u and the id of a member.
func (s Subject) String() string {
	if s.Member != 0 {
		return "u" + s.Member.Text()
	}
	return "p" + s.Post.Text()
}

// ParseSubject is the inverse of String.
func ParseSubject(text string) (s Subject, ok bool) {
	if text == "" {
		return s, false
	}
	id, err := data.ParseID(text[1:])
	switch text[0] {
	case 'p':
		s.Post = id
	case 'u':
		s.Member = id
	default:
		return s, false
	}
	return s, err == nil && id != 0
}

const week = 7 * 24 * time.Hour

// Week returns the number of the week of t since 1970.
func Week(t time.Time) int64 { return t.UnixMilli() / week.Milliseconds() }

const (
	changed  = "views:changed"  // subjects with views since the last Flush, each with its week
	counting = "views:counting" // subjects that a Flush is adding to the databases. They stay here until that is done, so that nothing is lost
	// life is how many seconds a HyperLogLog lives after Flush last counted it: a week, and the time until the next Flush. Flush sets the
	// expiry, and not Count, because there are fewer flushes than views and each EXPIRE is billed.
	life = 8 * 24 * 3600
)

// keyOf returns the key of the HyperLogLog of a subject in a week; member is memberOf of both, as in the sets above.
func keyOf(member string) string { return "views:" + member }
func memberOf(number int64, subject Subject) string {
	return strconv.FormatInt(number, 10) + ":" + subject.String()
}

// Enabled reports whether the site counts views.
func (s *Store) Enabled() bool { return s.Redis != nil }

// Count counts a viewer. who identifies the viewer; Redis does not store it.
func (s *Store) Count(ctx context.Context, subject Subject, who string) error {
	if !s.Enabled() {
		return nil
	}
	member := memberOf(Week(s.Source.Now()), subject)
	view := member + " " + who
	if s.counted.has(view) {
		return nil
	}
	replies, err := s.Redis.Pipeline(ctx, upstash.Cmd{"PFADD", keyOf(member), who}, upstash.Cmd{"SADD", changed, member})
	if err == nil {
		err = upstash.FirstError(replies)
	}
	if err == nil {
		s.counted.add(view)
	}
	return err
}

const (
	// flushStep is how many subjects one transaction of a database updates.
	flushStep = 500
	// flushSteps limits the steps of a run; the next run continues.
	flushSteps = 4
)

// Flush adds the views since the last Flush to the databases. It may be stopped at any point, repeated, and run twice at once: a row stores
// how many views of the week it includes already. If the key counting is not a set, it is deleted.
func (s *Store) Flush(ctx context.Context) error {
	if !s.Enabled() {
		return nil
	}
	// RENAMENX renames nothing while the rest of an earlier run is there, and returns an error if there are no views.
	replies, err := s.Redis.Pipeline(ctx, upstash.Cmd{"RENAMENX", changed, counting}, upstash.Cmd{"SRANDMEMBER", counting, flushStep})
	if err != nil {
		return err
	}
	if replies[1].WrongType() {
		_, err = s.Redis.Pipeline(ctx, upstash.Cmd{"DEL", counting})
		return err
	}
	for range flushSteps {
		members, err := replies[1].Strings()
		if err != nil || len(members) == 0 {
			return err
		}
		done, failed := s.add(ctx, members)
		if len(done) == 0 {
			return failed
		}
		remove := upstash.Cmd{"SREM", counting}
		for _, m := range done {
			remove = append(remove, m)
		}
		if replies, err = s.Redis.Pipeline(ctx, remove, upstash.Cmd{"SRANDMEMBER", counting, flushStep}); err != nil || failed != nil {
			return errors.Join(failed, err)
		}
	}
	return nil
}

// The :counts of the week :week are pairs of an id and its number of viewers in that week.
const (
	addToPosts = `UPDATE posts SET views = views + c.n - iif(views_week = :week, week_views, 0), week_views = c.n, views_week = :week
FROM (SELECT value ->> 0 AS id, value ->> 1 AS n FROM json_each(:counts)) c
WHERE posts.id = c.id AND posts.status = 'published' AND views_week <= :week AND c.n > iif(views_week = :week, week_views, 0)`
	addToUsers = `UPDATE users SET views = views + c.n - iif(views_week = :week, week_views, 0), week_views = c.n, views_week = :week
FROM (SELECT value ->> 0 AS id, value ->> 1 AS n FROM json_each(:counts)) c
WHERE users.id = c.id AND users.username <> '' AND views_week <= :week AND c.n > iif(views_week = :week, week_views, 0)`
)

// batch identifies the rows of one statement: those of one table and week in one database.
type batch struct {
	where data.Where
	sql   string
	week  int64
}

// add adds the counts of some members of the set counting to the databases. It returns the members that are done: all except those of a
// database that can't be reached.
func (s *Store) add(ctx context.Context, members []string) (done []string, failed error) {
	cmds := make([]upstash.Cmd, 0, 2*len(members))
	for _, m := range members {
		cmds = append(cmds, upstash.Cmd{"PFCOUNT", keyOf(m)}, upstash.Cmd{"EXPIRE", keyOf(m), life})
	}
	replies, err := s.Redis.Pipeline(ctx, cmds...)
	if err != nil {
		return nil, err
	}
	byPlace := map[data.Where][]string{}
	counts := map[batch][][2]int64{}
	for i, m := range members {
		number, text, _ := strings.Cut(m, ":")
		week, err := strconv.ParseInt(number, 10, 64)
		subject, ok := ParseSubject(text)
		n, errN := replies[2*i].Int()
		if err != nil || !ok || errN != nil || n == 0 {
			done = append(done, m) // not written by this program, or expired
			continue
		}
		b, id := batch{data.In(""), addToUsers, week}, subject.Member
		if id == 0 {
			id = subject.Post
			b.where, b.sql = s.DB.ShardOf(id), addToPosts
		}
		counts[b] = append(counts[b], [2]int64{int64(id), n})
		byPlace[b.where] = append(byPlace[b.where], m)
	}
	places := map[data.Where][]batch{}
	for b := range counts {
		places[b.where] = append(places[b.where], b)
	}
	failed = data.OnEach(slices.Collect(maps.Keys(places)), func(where data.Where) error {
		w := s.DB.WriteAt(where)
		list := places[where]
		slices.SortFunc(list, func(a, b batch) int { return int(a.week - b.week) }) // last week before this one
		for _, b := range list {
			pairs, _ := json.Marshal(counts[b]) // encoding integers can't fail
			w.Do(b.sql, data.Args{"week": b.week, "counts": string(pairs)})
		}
		err := w.Run(ctx)
		if err == nil {
			done = append(done, byPlace[where]...)
		}
		return err
	})
	return done, failed
}
