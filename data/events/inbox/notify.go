package inbox

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"plaza/data"
	"plaza/data/events/outbox"
	"plaza/data/wire/hrana"
)

const (
	// notifyStep limits the rows of a statement that has no other limit.
	notifyStep = 1000
	// notifySteps limits the transactions in a row that write for followers and changes. The rest is due a minute later.
	notifySteps = 10
	// notifyTries limits the transactions for news if the database refuses some.
	notifyTries = 20
)

const (
	insertColumns = `INSERT INTO inbox (user_id, kind, subject_id, post_id, community_name, slug, title, author_id, excerpt, unread,
  created_at)
  SELECT u.id, `
	insertValues = `, n.value ->> 'subject', n.value ->> 'post', n.value ->> 'community', n.value ->> 'slug', n.value ->> 'title',
  n.value ->> 'author', n.value ->> 'excerpt', NOT n.value ->> 'back', ` + data.DatabaseNow + ` FROM json_each(:news) n CROSS JOIN `
	// Members are not notified of their own texts, of texts by members they block, nor of texts in a thread that they had muted at the time.
	mayBeNotified = ` AND u.status = 'active' AND u.id IS NOT n.value ->> 'author'
  AND NOT EXISTS (SELECT 1 FROM watches q WHERE q.user_id = u.id AND q.post_id = n.value ->> 'post' AND ` + mutedThen + `)
  AND NOT EXISTS (SELECT 1 FROM blocks b WHERE b.blocker_id = u.id AND b.blocked_id = n.value ->> 'author')`

	// A row has the first reason that applies. Primary keys; unique index on username_key; index watches_followed. A member's former name
	// still mentions them.
	insertReplied = insertColumns + `'reply'` + insertValues + `users u ON u.id = n.value ->> 'replied_to' WHERE n.value ->> 'new'` +
		mayBeNotified +
		` ON CONFLICT DO NOTHING`
	insertMentioned = insertColumns + `'mention'` + insertValues + `json_each(n.value, '$.names') m CROSS JOIN users u
  ON u.id = coalesce((SELECT x.id FROM users x WHERE x.username_key = m.value), (SELECT f.user_id FROM former_names f
  WHERE f.name_key = m.value))
WHERE n.value ->> 'published'` + mayBeNotified + ` AND ` + fewMentions + ` ON CONFLICT DO NOTHING`
	// fewMentions is the condition that the author of n has not mentioned member u too often in a day. The limit is lower for accounts that
	// are younger than a week. Index inbox_listed, some rows from its end.
	fewMentions = `(SELECT count(*) FROM (SELECT i.author_id, i.created_at FROM inbox i WHERE i.user_id = u.id AND i.kind = 'mention'
  ORDER BY i.id DESC LIMIT :most * 10) y
  WHERE y.author_id = n.value ->> 'author' AND y.created_at > ` + data.DatabaseNow +
		` - 86400000) < iif(n.value ->> 'author' >= :young, :few, :most)`
	insertFollowers = insertColumns + `'thread'` + insertValues + `watches f ON f.post_id = n.value ->> 'post' AND f.muted = 0
  AND f.created_at <= n.value ->> 'at' CROSS JOIN users u ON u.id = f.user_id
WHERE n.value ->> 'new' AND NOT EXISTS (SELECT 1 FROM inbox x WHERE x.post_id = f.post_id AND x.subject_id = n.value ->> 'subject'
  AND x.user_id = u.id)` +
		mayBeNotified + ` LIMIT :step`

	// Index inbox_subject.
	ofNews = ` FROM json_each(:news) n CROSS JOIN inbox i ON i.post_id = n.value ->> 'post' AND i.subject_id = n.value ->> 'subject'
  WHERE `
	forgetDeleted  = `DELETE FROM inbox WHERE id IN (SELECT i.id` + ofNews + `NOT n.value ->> 'published' LIMIT :step)`
	updateExcerpts = `UPDATE inbox SET excerpt = (SELECT n.value ->> 'excerpt' FROM json_each(:news) n
  WHERE n.value ->> 'subject' = inbox.subject_id)
WHERE id IN (SELECT i.id` + ofNews + `n.value ->> 'published' AND NOT n.value ->> 'new' AND i.excerpt <> n.value ->> 'excerpt' LIMIT :step)`
	updateTitles = `UPDATE inbox SET title = (SELECT n.value ->> 'title' FROM json_each(:news) n WHERE n.value ->> 'subject' = inbox.post_id)
WHERE id IN (SELECT i.id FROM json_each(:news) n CROSS JOIN inbox i ON i.post_id = n.value ->> 'subject'
  WHERE i.title <> n.value ->> 'title' AND i.event NOT IN ('remove', 'approve') LIMIT :step)`
)

// Notify writes news into members' inboxes, and ends the jobs. A comment notifies the author of its parent, the members that it mentions,
// and the followers of the thread. A post notifies the members that it mentions. An edit notifies only members whom it mentions for the
// first time. Deleted and removed posts and comments are removed from all inboxes. A member never has two rows of the same comment, even
// if the job is repeated.
//
// An error means that the jobs of some news are not done. They are due again later.
func (s *Store) Notify(ctx context.Context, all []*News) error {
	notified, unfinished := []*News{}, []*News{}
	bisect := hrana.Bisect[*News]{Calls: notifyTries, Do: func(list []*News) error {
		whole, err := s.write(ctx, list)
		switch {
		case err != nil:
		case whole:
			notified = append(notified, list...)
		default:
			unfinished = append(unfinished, list...)
		}
		return err
	}}
	bisect.Run(all)
	return errors.Join(bisect.Err, s.done(ctx, notified), s.continueLater(ctx, unfinished))
}

// continueLater makes the retry job find the jobs of news again that has more rows to write.
func (s *Store) continueLater(ctx context.Context, unfinished []*News) error {
	if len(unfinished) == 0 {
		return nil
	}
	return s.DB.OnAll(func(shard data.Where) error {
		w := s.DB.WriteAt(shard)
		for _, n := range unfinished {
			if s.DB.Holds(shard, n.Subject) {
				outbox.Requeue(w, s.Source, n.Subject, n.job)
			}
		}
		return w.Run(ctx)
	})
}

// write writes news into inboxes. It returns false if there is more to write than one delivery of a queue does.
func (s *Store) write(ctx context.Context, list []*News) (whole bool, err error) {
	text, err := newsJSON(list)
	if err != nil {
		return false, err
	}
	var mentioning []string // one by one, so that each statement sees the rows of those before
	for _, n := range list {
		if names := n.newNames(); n.published && len(names) > 0 {
			one, err := newsJSON([]*News{n})
			if err != nil {
				return false, err
			}
			mentioning = append(mentioning, one)
		}
	}
	now := data.Args{"news": text, "now": s.Source.DatabaseNow()}
	step := data.Args{"news": text, "step": notifyStep}
	err = s.DB.Steps(ctx, notifySteps, func(w *data.Write) func() bool {
		bounded := []*data.Change{w.Do(forgetDeleted, step), w.Do(updateExcerpts, step), w.Do(updateTitles, step)}
		w.Do(insertReplied, now)
		for _, one := range mentioning {
			w.Do(insertMentioned, data.Args{"news": one, "now": s.Source.DatabaseNow(), "few": MentionsOfYoung * max(s.Factor, 1),
				"most":  MentionsOfOne * max(s.Factor, 1),
				"young": data.NewID(s.Source.Now().Add(-youngAge), 0, data.KindOther, 0)})
		}
		bounded = append(bounded, w.Do(insertFollowers, data.Args{"news": text, "now": s.Source.DatabaseNow(), "step": notifyStep}))
		w.Do(unmailed, data.Args{"news": text, "now": s.Source.DatabaseNow(), "pause": mailPause})
		return func() bool {
			whole = !slices.ContainsFunc(bounded, func(c *data.Change) bool { return c.Rows == notifyStep })
			return !whole
		}
	})
	return whole, err
}

// newsJSON encodes news as the argument :news of the statements of write. Integers stay integers.
func newsJSON(list []*News) (string, error) {
	type row struct {
		Subject   int64    `json:"subject"`
		Post      int64    `json:"post"`
		Community string   `json:"community"`
		Slug      string   `json:"slug"`
		Title     string   `json:"title"`
		Author    int64    `json:"author"`
		Excerpt   string   `json:"excerpt"`
		RepliedTo int64    `json:"replied_to"`
		Names     []string `json:"names"`
		Published bool     `json:"published"`
		New       bool     `json:"new"` // a comment that was just written
		Back      bool     `json:"back"`
		At        int64    `json:"at"` // when it was written or changed, by its database's clock
	}
	rows := make([]row, len(list))
	for i, n := range list {
		rows[i] = row{int64(n.Subject), int64(n.post), n.community, n.slug, n.title, int64(n.author), n.Excerpt, int64(n.repliedTo), n.newNames(),
			n.published,
			n.published && n.job == outbox.JobNotify && n.Subject.IsComment(), n.back, n.queuedAt}
	}
	text, err := json.Marshal(rows)
	return string(text), err
}

const noteMentions = `INSERT INTO mentions (subject_id, name_key) SELECT n.value ->> 0, n.value ->> 1 FROM json_each(:names) n WHERE true
  ON CONFLICT DO NOTHING`

// done records whom news has mentioned, and ends its jobs. Unavailable, with the shards that could not be reached.
func (s *Store) done(ctx context.Context, all []*News) error {
	return s.DB.OnAll(func(shard data.Where) error {
		names, done := [][2]any{}, [][3]any{}
		w := s.DB.WriteAt(shard)
		for _, n := range all {
			if !s.DB.Holds(shard, n.Subject) {
				continue
			}
			done = append(done, [3]any{int64(n.Subject), n.published, n.revision})
			if n.published {
				for _, key := range n.newNames() {
					names = append(names, [2]any{int64(n.Subject), key})
				}
			}
			outbox.Done(w, n.Subject, n.job, n.queuedAt)
		}
		if len(done) == 0 {
			return nil
		}
		listNames, err := json.Marshal(names)
		if err != nil {
			return err
		}
		listDone, err := json.Marshal(done)
		if err != nil {
			return err
		}
		w.Do(noteMentions, data.Args{"names": string(listNames)})
		outbox.EnqueueChanged(w, s.Source, string(listDone))
		return w.Run(ctx)
	})
}
