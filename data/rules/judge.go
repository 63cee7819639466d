package rules

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"plaza/data"
)

// Store keeps rules, those of a community on its shard and those of the site in the directory, and judges by them.
type Store struct {
	DB     *data.DB
	Source data.Source

	mu     sync.Mutex        // never held across I/O
	sets   map[string]*set   // by the key of a community; "" is the site
	places map[data.ID]place // of posts and comments
}

// place is the key of a community in which something is, and of a post its kind.
type place struct {
	key  string
	kind Kind
}

// set are the rules of a community that are on, or those of the site.
type set struct {
	rules []*Rule
	until time.Time
}

const (
	// Life is how long an instance goes by the rules that it has read. A change counts at once in the instance that made it.
	Life = 5 * time.Second
	// remembered is of how many communities, and how many posts and comments, an instance remembers something.
	remembered = 5000
)

// Place is where something is written: in a community, or in the thread or the place of a post or comment.
type Place struct {
	Community string
	Target    data.ID // where Community is ""
}

const (
	// Index rules_community.
	activeOfSite      = `SELECT r.id, r.title, r.text FROM rules r WHERE r.community_id = 0 AND r.active = 1 ORDER BY r.id`
	activeOfCommunity = `SELECT k.name_key, r.id, r.title, r.text FROM communities k LEFT JOIN rules r ON r.community_id = k.id AND r.active = 1 WHERE k.name_key = :community ORDER BY r.id`
	// Primary keys, then index rules_community.
	activeOfTarget = `SELECT k.name_key, r.id, r.title, r.text, iif(p.status IN ('draft', 'scheduled'), '', p.kind) FROM posts p CROSS JOIN communities k ON k.id = p.community_id
LEFT JOIN rules r ON r.community_id = k.id AND r.active = 1
WHERE p.id = coalesce((SELECT c.post_id FROM comments c WHERE c.id = :target), :target) ORDER BY r.id`

	// Primary keys of author_karma and made; indexes posts_by and comments_author. Fifty posts and comments at most are looked at.
	authorFacts = `SELECT coalesce((SELECT a.posts + a.comments FROM author_karma a WHERE a.author_id = :actor), 0),
  (SELECT count(*) FROM made m WHERE m.author_id = :actor AND m.created_at > :since AND (m.key GLOB 'post *' OR m.key GLOB 'comment *')),
  (SELECT count(*) FROM (SELECT p.community_id FROM posts p WHERE p.author_id = :actor AND p.status = 'published' ORDER BY p.created_at DESC LIMIT 50) x
    WHERE x.community_id = (SELECT k.id FROM communities k WHERE k.name_key = :community))
  + (SELECT count(*) FROM (SELECT c.post_id FROM comments c WHERE c.author_name = :name COLLATE NOCASE AND c.author_id IS NOT NULL AND c.status = 'published' ORDER BY c.id DESC LIMIT 50) x
    CROSS JOIN posts p ON p.id = x.post_id WHERE p.community_id = (SELECT k.id FROM communities k WHERE k.name_key = :community))`

	// Primary keys, unique index on name_key.
	exempt = `SELECT u.admin, EXISTS (SELECT 1 FROM communities k JOIN moderators m ON m.community_id = k.id WHERE k.name_key = :community AND m.user_id = :actor)
FROM users u WHERE u.id = :actor`
)

// Judge tells what the rules of a place and of the site make of what a member is about to write there. Community rules are not for the community's moderators, and none for
// administrators. It asks no database while the instance knows the rules and none of them asks for more than the text and the account's age.
// Where there is no such post or comment, nothing hits. In a community that is not there yet, as that of a first post to a profile, the rules of the
// site hold. Unavailable.
func (s *Store) Judge(ctx context.Context, a data.Actor, at Place, t Thing) (Verdict, error) {
	key := strings.ToLower(at.Community)
	now := s.Source.Now()
	s.mu.Lock()
	if key == "" {
		known := s.places[at.Target]
		key, t.Kind = known.key, cmp.Or(t.Kind, known.kind)
	}
	here, site := s.sets[key], s.sets[""]
	s.mu.Unlock()
	if key == "" {
		here = nil
	}
	if here == nil || site == nil || now.After(here.until) || now.After(site.until) {
		var found place
		var err error
		if found, here, site, err = s.load(ctx, key, at.Target, now); err != nil || found.key == "" && at.Community == "" {
			return Verdict{}, err
		}
		key, t.Kind = cmp.Or(found.key, key), cmp.Or(t.Kind, found.kind)
	}
	all := slices.Concat(site.rules, here.rules)
	if len(all) == 0 {
		return Verdict{}, nil
	}
	author := Author{Age: now.Sub(a.UserID.Time())}
	if slices.ContainsFunc(all, (*Rule).needsAuthor) {
		r := s.DB.Read()
		for _, shard := range s.DB.Shards() {
			r.Find(shard, authorFacts, data.Args{"actor": a.UserID, "name": a.Name, "community": key, "since": now.Add(-time.Hour)}, func(row *data.Row) {
				author.Karma, author.Hourly, author.Accepted = author.Karma+row.Int(), author.Hourly+row.Int(), author.Accepted+row.Int()
			})
		}
		if err := r.Run(ctx); err != nil {
			return Verdict{}, err
		}
	}
	sample := prepare(t)
	hit := slices.DeleteFunc(all, func(r *Rule) bool { return !r.matches(sample, author) })
	if len(hit) == 0 {
		return Verdict{}, nil
	}
	ofSite := func(r *Rule) bool { return slices.Contains(site.rules, r) }
	r := s.DB.Read()
	var admin, moderates bool
	r.Find(data.Directory, exempt, data.Args{"actor": a.UserID, "community": key}, func(row *data.Row) { admin, moderates = row.Bool(), row.Bool() })
	if err := r.Run(ctx); err != nil {
		return Verdict{}, err
	}
	hit = slices.DeleteFunc(hit, func(r *Rule) bool { return admin || moderates && !ofSite(r) })
	return verdictOf(hit, ofSite), nil
}

// load reads the rules of the site and those of a community, by its key or by something in it. What it found is zero where there is none.
func (s *Store) load(ctx context.Context, key string, target data.ID, now time.Time) (found place, here, site *set, err error) {
	here, site = &set{until: now.Add(Life)}, &set{until: now.Add(Life)}
	r := s.DB.Read()
	r.Find(data.Directory, activeOfSite, nil, func(row *data.Row) { site.add(row) })
	scan := func(row *data.Row) {
		found.key = row.Text()
		here.add(row)
	}
	if key != "" {
		r.Find(data.HomeOf(key), activeOfCommunity, data.Args{"community": key}, scan)
	} else {
		r.Find(data.HomeOfID(target), activeOfTarget, data.Args{"target": target}, func(row *data.Row) {
			scan(row)
			if !target.IsComment() {
				found.kind = Kind(row.Text())
			}
		})
	}
	if err := r.Run(ctx); err != nil && data.ErrorCode(err) != data.NotFound { // no such community or shard: what follows says so
		return place{}, nil, nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sets == nil || len(s.sets) >= remembered {
		s.sets = map[string]*set{}
	}
	if s.places == nil || len(s.places) >= remembered {
		s.places = map[data.ID]place{}
	}
	s.sets[""] = site
	if found.key != "" {
		s.sets[found.key] = here
		if found.kind != "" || target.IsComment() {
			s.places[target] = found
		}
	}
	return found, here, site, nil
}

// add reads a rule that is on. A rule that this build can't read does nothing.
func (s *set) add(row *data.Row) {
	id, title, text := row.ID(), row.Text(), row.Text()
	if id == 0 {
		return
	}
	if list, err := ParseAll(text); err == nil {
		list[0].ID, list[0].Title = id, title
		s.rules = append(s.rules, list[0])
	}
}

// Note stores what follows from a verdict about a thing that was changed.
func (s *Store) Note(ctx context.Context, v Verdict, target data.ID) error {
	if len(v.Hits) == 0 {
		return nil
	}
	w := s.DB.Write(data.HomeOfID(target))
	v.Leave(w, s.Source, target, false)
	return w.Run(ctx)
}

// changed has this instance read the rules of a community anew.
func (s *Store) changed(key string) {
	s.mu.Lock()
	delete(s.sets, key)
	s.mu.Unlock()
}

const (
	// purgeAfter is for how long it is kept which rules have hit a thing.
	purgeAfter = 90 * 24 * time.Hour
	// purgeStep bounds the rows of one transaction, and purgeSteps the transactions of a run on a shard.
	purgeStep  = 1000
	purgeSteps = 20
)

// Index rule_hits_age.
const purgeHits = `DELETE FROM rule_hits WHERE (target_id, rule_id) IN (SELECT h.target_id, h.rule_id FROM rule_hits h WHERE h.created_at < ` + data.DatabaseNow + ` - :life LIMIT :step)`

// Purge forgets which rules have hit what long ago, some at a time. Their counts stay. Unavailable, with the shards that could not be
// reached.
func (s *Store) Purge(ctx context.Context) error {
	return data.OnEach(s.DB.Shards(), func(where data.Where) error {
		for range purgeSteps {
			w := s.DB.Write(where)
			purged := w.Do(purgeHits, data.Args{"now": s.Source.DatabaseNow(), "life": purgeAfter, "step": purgeStep})
			if err := w.Run(ctx); err != nil || purged.Rows < purgeStep {
				return err
			}
		}
		return nil
	})
}
