package inbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"plaza/data"
	"plaza/data/events/outbox"
)

// Event is the kind of a decision in a notification: an action of the log, or one of the constants below. It is not a notice of illegal
// content (package legalnotices).
type Event string

// The decision about a report.
const (
	ReportRemoved Event = "report-removed"
	ReportKept    Event = "report-kept"
)

// NotPublished is about a scheduled post that was not published when it was due.
const NotPublished Event = "not-published"

// Messages of conversations (package modmail): the subject is the message, and the post is the conversation.
const (
	FromModerators Event = "from-moderators" // to the member
	ToModerators   Event = "to-moderators"
)

// The status of a quarantined vote. A member has one notification of a case, with the case's current status.
const (
	VoteQuarantined Event = "vote-quarantined"
	VoteDropped     Event = "vote-dropped"
	VoteReleased    Event = "vote-released"
)

// entriesPerWrite is how many members one transaction notifies of decisions.
const entriesPerWrite = 1000

// decided is a decision about a member's text, or the outcome of a report, as the shard has it.
type decided struct {
	event                  Event
	subject, about, post   data.ID
	community, slug, title string
	excerpt                string
	members                []data.ID // the members to notify
}

const (
	reportNews = `SELECT o.target_id, o.decision = 'remove', o.came_at, o.decided_at, o.decided_by, coalesce(p.id, o.target_id),
  coalesce(p.community_name, ''), coalesce(p.slug, ''), coalesce(` + title + `, '')
FROM json_each(:ids) j CROSS JOIN report_outcomes o ON o.target_id = j.value LEFT JOIN comments c ON c.id = o.target_id
  LEFT JOIN posts p ON p.id = coalesce(c.post_id, o.target_id)`
	endOutcome       = `DELETE FROM report_outcomes WHERE target_id = :target AND decided_at = :decided`
	notPublishedNews = `SELECT p.id, p.author_id, p.created_at, p.community_name, p.slug, p.title FROM json_each(:ids) j
  CROSS JOIN posts p ON p.id = j.value
WHERE p.status = 'draft' AND p.author_id IS NOT NULL`
	// Index inbox_subject.
	forgetNotPublished = `DELETE FROM inbox WHERE post_id = :post AND subject_id = :subject AND user_id = :author AND unread = 0`
	// The reporters of a target to notify now. The moderator who decided is left out. So are reporters from before :came: they were notified
	// of an earlier decision.
	reporters = `SELECT r.reporter_id FROM reports r WHERE r.target_id = :target AND r.reporter_id > :after AND +r.reporter_id IS NOT :decider
  AND r.created_at BETWEEN :came AND :decided ORDER BY r.reporter_id LIMIT :limit`

	// Suspended members get the notification, too, and read it later.
	insertEvents = `INSERT INTO inbox (user_id, kind, event, about_id, subject_id, post_id, community_name, slug, title, excerpt, created_at)
SELECT u.id, 'thread', n.value ->> 'event', n.value ->> 'about', n.value ->> 'subject', n.value ->> 'post', n.value ->> 'community',
  n.value ->> 'slug', iif(n.value ->> 'title' = '' AND n.value ->> 'community' = '', coalesce((SELECT a.username FROM users a
  WHERE a.id = n.value ->> 'about'), ''), n.value ->> 'title'),
  n.value ->> 'excerpt', ` + data.DatabaseNow + `
FROM json_each(:news) n CROSS JOIN json_each(n.value, '$.members') m CROSS JOIN users u ON u.id = m.value WHERE u.username_key NOT LIKE '~%'
  ON CONFLICT DO NOTHING`
)

// NotifyReported notifies reporters of the decisions about their reports, by the ids of the reported items (outbox.JobReported). Each
// decision has its row in report_outcomes until its reporters are notified. So another report in between doesn't stop the notification.
// NotifyReported returns the same as NotifyDecided.
func (s *Store) NotifyReported(ctx context.Context, targets []data.ID) (missed []data.ID, err error) {
	return s.eachClaimed(ctx, outbox.JobReported, targets, func(ctx context.Context, where data.Where, ids []data.ID,
		notified *runResult) error {
		type report struct {
			decided
			came, at int64
			decider  data.ID
		}
		var found []report
		r := s.DB.Read()
		r.FindAt(where, reportNews, data.Args{"ids": ids}, func(row *data.Row) {
			n := report{decided: decided{event: ReportKept, about: row.ID()}}
			if row.Bool() {
				n.event = ReportRemoved
			}
			n.came, n.at, n.decider, n.post = row.Int(), row.Int(), row.ID(), row.ID()
			n.community, n.slug, n.title = row.Text(), row.Text(), row.Text()
			n.subject = SyntheticSubject(n.about, data.Millis(n.at))
			found = append(found, n)
		})
		if err := r.Run(ctx); err != nil {
			return err
		}
		for _, n := range found {
			if err := s.notifyReporters(ctx, where, n.decided, data.Args{"target": n.about, "decider": n.decider, "came": n.came, "decided": n.at,
				"limit": entriesPerWrite}); err != nil {
				notified.failed(n.about, err)
				continue
			}
			notified.end(endOutcome, data.Args{"target": n.about, "decided": n.at})
		}
		return nil
	})
}

// NotifyNotPublished notifies authors of scheduled posts that were not published (outbox.JobNotPublished). It returns
// the same as NotifyDecided. An author who has read an earlier notification about the same post is notified again.
func (s *Store) NotifyNotPublished(ctx context.Context, posts []data.ID) (missed []data.ID, err error) {
	return s.eachClaimed(ctx, outbox.JobNotPublished, posts, func(ctx context.Context, where data.Where, ids []data.ID,
		notified *runResult) error {
		var news []decided
		r := s.DB.Read()
		r.FindAt(where, notPublishedNews, data.Args{"ids": ids}, func(row *data.Row) {
			n := decided{event: NotPublished, about: row.ID()}
			n.post, n.members, n.subject = n.about, []data.ID{row.ID()}, SyntheticSubject(n.about, row.Time())
			n.community, n.slug, n.title = row.Text(), row.Text(), row.Text()
			news = append(news, n)
		})
		if err := r.Run(ctx); err != nil || len(news) == 0 {
			return err
		}
		w := s.DB.Write()
		for _, n := range news {
			w.Do(forgetNotPublished, data.Args{"post": n.post, "subject": n.subject, "author": n.members[0]})
		}
		if err := w.Run(ctx); err != nil {
			return err
		}
		return s.writeEvents(ctx, news)
	})
}

// notifyReporters notifies all reporters of one thing, some at a time.
func (s *Store) notifyReporters(ctx context.Context, where data.Where, n decided, args data.Args) error {
	for after := data.ID(0); ; {
		n.members = nil
		args["after"] = after
		r := s.DB.Read()
		r.FindAt(where, reporters, args, func(row *data.Row) { after = row.ID(); n.members = append(n.members, after) })
		if err := r.Run(ctx); err != nil || len(n.members) == 0 {
			return err
		}
		if err := s.writeEvents(ctx, []decided{n}); err != nil || len(n.members) < entriesPerWrite {
			return err
		}
	}
}

// SyntheticSubject returns the subject of a notification that has no entry in the log. It is a number like an id of the time at, and the
// same for the same arguments. For a report, at is the time of the decision; for a post that was not published, the time when the post was
// written.
func SyntheticSubject(about data.ID, at time.Time) data.ID {
	mixed := uint64(about) * 0x9E3779B97F4A7C15
	return data.NewID(at, int(mixed>>52), data.KindOther, uint32(mixed>>32))
}

// runResult is the result of one run.
type runResult struct {
	errors map[data.ID]error // by subject; the jobs of these are not done
	rest   map[data.ID]bool  // subjects whose jobs another delivery has to continue
	ends   []func(w *data.Write)
}

func (t *runResult) failed(subject data.ID, err error) { t.errors[subject] = err }

// end adds a statement to the transaction that ends the job.
func (t *runResult) end(sql string, args data.Args) {
	t.ends = append(t.ends, func(w *data.Write) { w.Do(sql, args) })
}

// eachClaimed claims jobs about decisions and deletes those that notify has done.
func (s *Store) eachClaimed(ctx context.Context, job outbox.Job, subjects []data.ID,
	notify func(ctx context.Context, where data.Where, ids []data.ID, notified *runResult) error) (missed []data.ID, err error) {
	groups, err := s.DB.ByShard(ctx, subjects)
	if err != nil {
		return subjects, err
	}
	groups[data.In("")] = subjects // subjects about members are in the directory, with ids of any shard
	for _, where := range s.DB.Databases() {
		here := groups[where]
		if len(here) == 0 {
			continue
		}
		claimed := map[data.ID]int64{}
		var ids []data.ID
		w := s.DB.WriteAt(where)
		outbox.Claim(w, s.Source, job, here, func(c outbox.Claimed) { claimed[c.Subject], ids = c.QueuedAt, append(ids, c.Subject) })
		if failed := w.Run(ctx); failed != nil {
			missed, err = append(missed, here...), errors.Join(err, failed)
			continue
		}
		if len(ids) == 0 {
			continue
		}
		notified := &runResult{errors: map[data.ID]error{}, rest: map[data.ID]bool{}}
		if failed := notify(ctx, where, ids, notified); failed != nil {
			err = errors.Join(err, failed)
			continue
		}
		w = s.DB.WriteAt(where)
		for _, end := range notified.ends {
			end(w)
		}
		for id, queued := range claimed {
			if notified.errors[id] != nil {
				err = errors.Join(err, notified.errors[id])
				continue
			}
			if notified.rest[id] {
				outbox.Requeue(w, s.Source, id, job)
				continue
			}
			outbox.Done(w, id, job, queued)
		}
		err = errors.Join(err, w.Run(ctx))
	}
	return missed, err
}

// EnqueueMessageMail enqueues mails for the members whom the same transaction notifies of a message, if they want mails.
func EnqueueMessageMail(w *data.Write, s data.Source, conversation, message data.ID) {
	w.Do(unmailed, data.Args{"news": fmt.Sprintf(`[{"post":%d,"subject":%d}]`, int64(conversation), int64(message)), "now": s.DatabaseNow(),
		"pause": mailPause})
}

// writeEvents writes into inboxes.
func (s *Store) writeEvents(ctx context.Context, list []decided) error {
	if len(list) == 0 {
		return nil
	}
	type row struct {
		Event     Event   `json:"event"`
		Subject   int64   `json:"subject"`
		About     int64   `json:"about"`
		Post      int64   `json:"post"`
		Community string  `json:"community"`
		Slug      string  `json:"slug"`
		Title     string  `json:"title"`
		Excerpt   string  `json:"excerpt"`
		Members   []int64 `json:"members"`
	}
	rows := make([]row, len(list))
	for i, n := range list {
		rows[i] = row{Event: n.event, Subject: int64(n.subject), About: int64(n.about), Post: int64(n.post), Community: n.community,
			Slug: n.slug, Title: n.title, Excerpt: n.excerpt}
		for _, m := range n.members {
			rows[i].Members = append(rows[i].Members, int64(m))
		}
	}
	text, err := json.Marshal(rows)
	if err != nil {
		return err
	}
	w := s.DB.Write()
	w.Do(insertEvents, data.Args{"news": string(text), "now": s.Source.DatabaseNow()})
	w.Do(unmailed, data.Args{"news": string(text), "now": s.Source.DatabaseNow(), "pause": mailPause})
	return w.Run(ctx)
}
