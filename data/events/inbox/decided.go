package inbox

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"plaza/data"
	"plaza/data/events/outbox"
)

// aboutMembers are decisions of a community about a member. They notify only members who have written there or subscribed, so that
// moderators can't send messages to strangers by banning them.
var aboutMembers = []Event{"ban", "unban", "mute", "unmute"}

// titled is the decision about a post's title.
const titled Event = "title"

const (
	// The trigger moderation_log_notified enqueues the job. Primary keys. The author of a hidden post still sees its title.
	decisionNews = `SELECT l.id, l.action, l.rule, l.note, l.author_id, l.target_id, coalesce(p.id, l.id), coalesce(p.community_name, k.name,
  ''), coalesce(p.slug, ''), coalesce(iif(p.author_id = l.author_id, p.title, ` + title + `), ''), l.community_id, l.actor_id
FROM json_each(:ids) j CROSS JOIN moderation_log l ON l.id = j.value LEFT JOIN comments c ON c.id = l.target_id
  LEFT JOIN posts p ON p.id = coalesce(c.post_id, l.target_id)
LEFT JOIN communities k ON k.id = l.community_id`
	takesPart = `SELECT j.value ->> 0, u.username, EXISTS (SELECT 1 FROM subscriptions s WHERE s.user_id = u.id
  AND s.community_id = j.value ->> 2)
FROM json_each(:list) j CROSS JOIN users u ON u.id = j.value ->> 1 WHERE u.username <> ''`

	// entryOfToday is the id of member u's notification of an earlier decision of the same day about the same thing as decision n. Index
	// inbox_events, the last fifty from its end.
	entryOfToday = `(SELECT x.id FROM (SELECT i.id, i.about_id, i.community_name, i.event, i.created_at FROM inbox i WHERE i.user_id = u.id
  AND i.event <> '' ORDER BY i.id DESC LIMIT 50) x
  WHERE x.about_id = n.value ->> 'about' AND x.community_name = n.value ->> 'community' AND x.created_at / 86400000 = ` + data.DatabaseNow +
		` / 86400000
    AND x.event IN ('ban', 'unban', 'mute', 'unmute', 'remove', 'approve', 'title'))`
	// Members are not notified of decisions of a community by a moderator whom they block, but of all decisions of administrators.
	decidedTo = ` FROM json_each(:news) n CROSS JOIN users u ON u.id = n.value ->> 'member'
WHERE u.username_key NOT LIKE '~%' AND (NOT n.value ->> 'communal' OR NOT EXISTS (SELECT 1 FROM blocks b WHERE b.blocker_id = u.id
  AND b.blocked_id = n.value ->> 'actor'))`
	insertDecided = `INSERT INTO inbox (user_id, kind, event, about_id, subject_id, post_id, community_name, slug, title, excerpt, created_at)
SELECT u.id, 'thread', n.value ->> 'event', n.value ->> 'about', n.value ->> 'subject', n.value ->> 'post', n.value ->> 'community',
  n.value ->> 'slug', n.value ->> 'title',
  n.value ->> 'excerpt', ` + data.DatabaseNow + decidedTo + ` AND (NOT n.value ->> 'communal' OR ` + entryOfToday +
		` IS NULL) ON CONFLICT DO NOTHING`
	// A later decision of the day replaces the earlier one. No second mail or push follows: both are sent once for the id of the row.
	updateDecided = `UPDATE inbox SET (event, subject_id, excerpt, unread) = (SELECT v.value ->> 'event', v.value ->> 'subject',
  v.value ->> 'excerpt', 1 FROM json_each(:news) v
  WHERE v.value ->> 'member' = inbox.user_id AND v.value ->> 'about' = inbox.about_id AND v.value ->> 'community' = inbox.community_name)
WHERE id IN (SELECT z.id FROM (SELECT ` + entryOfToday + ` AS id, n.value ->> 'subject' AS subject` + decidedTo +
		` AND n.value ->> 'communal') y
  CROSS JOIN inbox z ON z.id = y.id WHERE z.subject_id < y.subject)`
)

// verdict is a decision about a member, or about a post or comment of theirs.
type verdict struct {
	decided
	member, actor, communityID data.ID // communityID is 0 for the site
}

// NotifyDecided notifies members of decisions about themselves, their posts and their comments, by the ids of entries of the log
// (outbox.JobDecided). It leaves out members whom a community bans or mutes in advance (aboutMembers), and members who block the
// moderator, unless the decision is about the whole site. Several decisions of a day about the same thing make one notification, of the
// last one. An error means that some jobs are not done; they are due again later. missed are the entries of databases that could not be
// reached.
func (s *Store) NotifyDecided(ctx context.Context, entries []data.ID) (missed []data.ID, err error) {
	return s.eachClaimed(ctx, outbox.JobDecided, entries, func(ctx context.Context, where data.Where, ids []data.ID,
		notified *runResult) error {
		var news []*verdict
		r := s.DB.Read()
		r.FindAt(where, decisionNews, data.Args{"ids": ids}, func(row *data.Row) {
			n := &verdict{}
			n.subject, n.event = row.ID(), Event(row.Text())
			rule, note := row.Text(), row.Text()
			n.member, n.about, n.post = row.ID(), row.ID(), row.ID()
			n.community, n.slug, n.title = row.Text(), row.Text(), row.Text()
			n.communityID, n.actor = row.ID(), row.ID()
			switch {
			case n.post != n.subject:
			case n.community == "":
				n.title = "Your account"
			default:
				n.title = "c/" + n.community
			}
			if rule != "" {
				n.excerpt = "Rule: " + rule
			}
			if note != "" && n.event == titled {
				n.excerpt = data.Line(note) // it has its own quotation marks
			} else if note != "" {
				n.excerpt = strings.TrimPrefix(n.excerpt+" · “"+data.Line(note)+"”", " · ")
			}
			news = append(news, n)
		})
		if err := r.Run(ctx); err != nil {
			return err
		}
		news, err := s.excludeStrangers(ctx, where, lastOfEach(news))
		if err != nil {
			return err
		}
		return s.writeDecided(ctx, news)
	})
}

// lastOfEach returns the last of several decisions of a community about the same thing.
func lastOfEach(all []*verdict) []*verdict {
	type subject struct{ communityID, member, about data.ID }
	last := map[subject]*verdict{}
	for _, n := range all {
		key := subject{n.communityID, n.member, n.about}
		if n.communityID == 0 { // an account's decisions are rare, and made by administrators
			key.about = n.subject
		}
		if other := last[key]; other == nil || other.subject < n.subject {
			last[key] = n
		}
	}
	return slices.Collect(maps.Values(last))
}

// excludeStrangers drops decisions about members who have neither written in the community nor subscribed.
func (s *Store) excludeStrangers(ctx context.Context, where data.Where, news []*verdict) (list []*verdict, err error) {
	unsure, rows := map[int64]*verdict{}, [][3]int64{}
	for _, n := range news {
		if n.communityID == 0 || !slices.Contains(aboutMembers, n.event) {
			list = append(list, n)
			continue
		}
		unsure[int64(n.subject)] = n
		rows = append(rows, [3]int64{int64(n.subject), int64(n.member), int64(n.communityID)})
	}
	if len(rows) == 0 {
		return list, nil
	}
	text, err := json.Marshal(rows)
	if err != nil {
		return nil, err
	}
	shardRead := s.DB.Read()
	activities := map[*verdict]*Activity{}
	r := s.DB.Read()
	r.Find(takesPart, data.Args{"list": string(text)}, func(row *data.Row) {
		n := unsure[row.Int()]
		name := row.Text()
		if row.Bool() {
			list = append(list, n)
			return
		}
		activities[n] = FindActivity(shardRead, where, n.communityID, n.member, name)
	})
	if err := r.Run(ctx); err != nil || len(activities) == 0 {
		return list, err
	}
	if err := shardRead.Run(ctx); err != nil {
		return nil, err
	}
	for n, b := range activities {
		if b.Wrote {
			list = append(list, n)
		}
	}
	return list, nil
}

// writeDecided writes into inboxes.
func (s *Store) writeDecided(ctx context.Context, list []*verdict) error {
	if len(list) == 0 {
		return nil
	}
	type row struct {
		Event     Event  `json:"event"`
		Subject   int64  `json:"subject"`
		About     int64  `json:"about"`
		Post      int64  `json:"post"`
		Community string `json:"community"`
		Slug      string `json:"slug"`
		Title     string `json:"title"`
		Excerpt   string `json:"excerpt"`
		Member    int64  `json:"member"`
		Actor     int64  `json:"actor"`
		Communal  bool   `json:"communal"`
	}
	slices.SortFunc(list, func(a, b *verdict) int { return cmp.Compare(a.subject, b.subject) }) // inboxes have them in the order of the log
	rows := make([]row, len(list))
	for i, n := range list {
		rows[i] = row{n.event, int64(n.subject), int64(n.about), int64(n.post), n.community, n.slug, n.title, n.excerpt, int64(n.member),
			int64(n.actor), n.communityID != 0}
	}
	text, err := json.Marshal(rows)
	if err != nil {
		return err
	}
	w := s.DB.Write()
	args := data.Args{"news": string(text), "now": s.Source.DatabaseNow()}
	w.Do(updateDecided, args)
	w.Do(insertDecided, args)
	w.Do(unmailed, data.Args{"news": string(text), "now": s.Source.DatabaseNow(), "pause": mailPause})
	return w.Run(ctx)
}
