package rules

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"plaza/data"
	"plaza/data/rights/reputation"
)

// Store stores rules and checks texts by them. A community's rules are on its shard, and the site's rules in the directory.
type Store struct {
	data.Base
	// HTML renders Markdown: of a reply, and of a draft that is published as it is stored.
	HTML func(markdown string) string

	mu      sync.Mutex             // never held across I/O
	sets    map[string]*set        // by the key of a community; "" is the site
	targets map[data.ID]targetInfo // of posts and comments
}

// targetInfo is the key of the community of a post or comment, and a post's kind.
type targetInfo struct {
	key  string
	kind Kind
}

const (
	// Life is how long an instance uses its cached rules. A change applies at once in the instance that made it.
	Life = 5 * time.Second
	// cacheMax is how many communities, and how many posts and comments, the cache of an instance has at most.
	cacheMax = 5000
)

// Place is where a text is written: in a community, or in the thread or place of a post or comment.
type Place struct {
	Community string
	Target    data.ID // if Community is ""
}

const (
	// Index rules_community.
	activeOfSite      = `SELECT r.id, r.title, r.text FROM rules r WHERE r.community_id = 0 AND r.active = 1 ORDER BY r.id`
	activeOfCommunity = `SELECT k.name_key, r.id, r.title, r.text FROM communities k LEFT JOIN rules r ON r.community_id = k.id
  AND r.active = 1 WHERE k.name_key = :community ORDER BY r.id`
	// Primary keys, then index rules_community.
	activeOfTarget = `SELECT k.name_key, r.id, r.title, r.text, iif(p.status IN ('draft', 'scheduled'), '', p.kind) FROM posts p
  CROSS JOIN communities k ON k.id = p.community_id LEFT JOIN rules r ON r.community_id = k.id AND r.active = 1
WHERE p.id = coalesce((SELECT c.post_id FROM comments c WHERE c.id = :target), :target) ORDER BY r.id`

	// An author writes few posts and comments in an hour.
	authorFacts = `SELECT coalesce((SELECT a.posts + a.comments FROM author_karma a WHERE a.author_id = :author), 0), count(*),
  coalesce(sum(p.community_id = (SELECT k.id FROM communities k WHERE k.name_key = :community)), 0)
FROM idempotency_keys m LEFT JOIN comments c ON c.id = m.result_id LEFT JOIN posts p ON p.id = coalesce(c.post_id, m.result_id)
WHERE m.author_id = :author AND m.created_at > :since AND (m.key GLOB 'post *' OR m.key GLOB 'comment *')
  AND (m.result_id >> 12) & 1023` + data.NotFrozen

	// Primary keys, unique index on name_key.
	exempt = `SELECT u.admin, EXISTS (SELECT 1 FROM communities k JOIN moderators m ON m.community_id = k.id WHERE k.name_key = :community
  AND m.user_id = :author)
FROM users u WHERE u.id = :author`
)

// Judge returns the verdict of the rules of a place and of the site about a member's new text. Community rules don't apply to the
// community's moderators, and no rules apply to administrators. It reads no database while the rules are cached and none of them could
// match. Otherwise it makes one request, about the author. If the post or comment doesn't exist, no rule matches. In a community that
// doesn't exist yet, as for the first post to a profile, the rules of the site apply. Unavailable.
func (s *Store) Judge(ctx context.Context, a data.Actor, place Place, t Thing) (Verdict, error) {
	t.Reports = 0
	hit, err := s.judge(ctx, a.UserID, place, t)
	return verdictOf(hit), err
}

// Reported returns the rules with a number of reports whose other conditions match a reported post or comment. author is 0 if it has
// none. The transaction that adds the report checks the number (package reports). Errors are as in Judge.
func (s *Store) Reported(ctx context.Context, author, target data.ID, t Thing) ([]*Rule, error) {
	t.Reports = math.MaxInt64
	hit, err := s.judge(ctx, author, Place{Target: target}, t)
	return slices.DeleteFunc(hit, func(r *Rule) bool { return r.Reports < 0 }), err
}

func (s *Store) judge(ctx context.Context, authorID data.ID, place Place, t Thing) (hit []*Rule, err error) {
	key := strings.ToLower(place.Community)
	now := s.Source.Now()
	s.mu.Lock()
	if key == "" {
		known := s.targets[place.Target]
		key, t.Kind = known.key, cmp.Or(t.Kind, known.kind)
	}
	here, site := s.sets[key], s.sets[""]
	s.mu.Unlock()
	if key == "" {
		here = nil
	}
	if here == nil || site == nil || now.After(here.until) || now.After(site.until) {
		var found targetInfo
		if found, here, site, err = s.load(ctx, key, place.Target, now); err != nil || found.key == "" && place.Community == "" {
			return nil, err
		}
		key, t.Kind = cmp.Or(found.key, key), cmp.Or(t.Kind, found.kind)
	}
	thing := prepare(t)
	author := Author{Here: reputation.Reputation{Age: now.Sub(authorID.Time())}}
	candidates := slices.DeleteFunc(append(site.matching(thing), here.matching(thing)...), func(r *Rule) bool {
		return !r.young(author.Here.Age) || authorID == 0 && r.asksAuthor()
	})
	if len(candidates) == 0 {
		return nil, nil
	}
	var admin, moderates bool
	r := s.DB.Read()
	r.Find(exempt, data.Args{"author": authorID, "community": key}, func(row *data.Row) { admin, moderates = row.Bool(), row.Bool() })
	if slices.ContainsFunc(candidates, (*Rule).asksActivity) {
		r.FindAll(authorFacts, data.Args{"author": authorID, "community": key, "since": now.Add(-time.Hour)}, func(row *data.Row) {
			author.Karma, author.Hourly, author.HourlyHere = author.Karma+row.Int(), author.Hourly+row.Int(), author.HourlyHere+row.Int()
		})
	}
	var known *reputation.Reputation
	if slices.ContainsFunc(candidates, (*Rule).asksReputation) {
		known = reputation.Find(r, s.Source, key, authorID)
	}
	if err := r.Run(ctx); err != nil {
		return nil, err
	}
	if known != nil {
		author.Here = *known
	}
	return slices.DeleteFunc(candidates, func(r *Rule) bool { return admin || moderates && !r.site || !r.fits(author) }), nil
}

// load reads the rules of the site and of a community, by its key or by a post or comment in it. Its results are zero if they don't
// exist.
func (s *Store) load(ctx context.Context, key string, target data.ID, now time.Time) (found targetInfo, here, site *set, err error) {
	var ofHere, ofSite []stored
	r := s.DB.Read()
	scan := func(row *data.Row) stored { return stored{row.ID(), row.Text(), row.Text()} }
	r.Find(activeOfSite, nil, func(row *data.Row) { ofSite = append(ofSite, scan(row)) })
	scanHere := func(row *data.Row) {
		found.key = row.Text()
		ofHere = append(ofHere, scan(row))
	}
	if key != "" {
		r.FindAt(data.In(key), activeOfCommunity, data.Args{"community": key}, scanHere)
	} else {
		r.FindAt(target, activeOfTarget, data.Args{"target": target}, func(row *data.Row) {
			scanHere(row)
			if !target.IsComment() {
				found.kind = Kind(row.Text())
			}
		})
	}
	if err := r.Run(ctx); err != nil && data.ErrorCode(err) != data.NotFound { // no such community or shard: the following write returns that
		return targetInfo{}, nil, nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sets == nil || len(s.sets) >= cacheMax {
		s.sets = map[string]*set{}
	}
	if s.targets == nil || len(s.targets) >= cacheMax {
		s.targets = map[data.ID]targetInfo{}
	}
	here, site = s.sets[found.key].renewed(ofHere, false, now, s.HTML), s.sets[""].renewed(ofSite, true, now, s.HTML)
	s.sets[""] = site
	if found.key != "" {
		s.sets[found.key] = here
		if found.kind != "" || target.IsComment() {
			s.targets[target] = found
		}
	}
	return found, here, site, nil
}

// stored is a row of rules. Its id is 0 for a community without rules.
type stored struct {
	id          data.ID
	title, text string
}

// renewed returns the set of the current rules. It reuses the compiled rules that have not changed. A rule that this build can't parse
// does nothing.
func (s *set) renewed(list []stored, site bool, now time.Time, html func(string) string) *set {
	next := &set{stored: list, until: now.Add(Life)}
	if s != nil && slices.Equal(s.stored, list) {
		next.rules, next.words = s.rules, s.words
		return next
	}
	for _, x := range list {
		if parsed, err := ParseAll(x.text); err == nil && x.id != 0 {
			parsed[0].ID, parsed[0].Title, parsed[0].site = x.id, x.title, site
			if parsed[0].Does(AutoReply) {
				parsed[0].ReplyHTML = html(parsed[0].Message)
			}
			next.rules = append(next.rules, parsed[0])
		}
	}
	next.words = dictionaryOf(next.rules)
	return next
}

// changed makes this instance read the rules of a community again.
func (s *Store) changed(key string) {
	s.mu.Lock()
	delete(s.sets, key)
	s.mu.Unlock()
}

const (
	// purgeAfter is how long rows about hits are stored.
	purgeAfter = 90 * 24 * time.Hour
	// purgeStep limits the rows of one transaction, and purgeSteps the transactions of a run on a shard.
	purgeStep  = 1000
	purgeSteps = 20
)

// Index rule_hits_age.
const purgeHits = `DELETE FROM rule_hits WHERE (target_id, rule_id) IN (SELECT h.target_id, h.rule_id FROM rule_hits h
  WHERE h.created_at < ` + data.DatabaseNow + ` - :life AND h.later = 0
  AND (h.target_id >> 12) & 1023` + data.NotFrozen + ` LIMIT :step)`

// Purge deletes old rows about hits, some at a time. The counts of the rules stay. Unavailable, with the shards that could not be
// reached.
func (s *Store) Purge(ctx context.Context) error {
	return s.DB.StepsAll(ctx, purgeSteps, func(w *data.Write) func() bool {
		purged := w.Do(purgeHits, data.Args{"now": s.Source.DatabaseNow(), "life": purgeAfter, "step": purgeStep})
		return func() bool { return purged.Rows == purgeStep }
	})
}
