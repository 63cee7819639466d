package inbox

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"plaza/data"
	"plaza/data/events/mails"
)

// When a member gets a mail about notifications of a kind.
const (
	MailNow    = "now"    // a mail for each thread, at most one in mailPause
	MailDigest = "digest" // one mail with everything since the last
	MailNever  = "none"
)

// MailChoices are the notifications that a member gets by mail, once their address is confirmed.
type MailChoices struct {
	Replies, Mentions, Threads string // MailNow, MailDigest or MailNever
	Days                       int    // between two digests: 1 or 7
}

// defaultMail are the default choices. The statements below contain them, too.
var defaultMail = MailChoices{Replies: MailNow, Mentions: MailNow, Threads: MailNever, Days: 1}

// Validate checks the fields.
func (m *MailChoices) Validate() error {
	for field, how := range map[string]string{"replies": m.Replies, "mentions": m.Mentions, "threads": m.Threads} {
		if how != MailNow && how != MailDigest && how != MailNever {
			return data.Mistake(field, "Please choose one of the values in the list.")
		}
	}
	if m.Days != 1 && m.Days != 7 {
		return data.Mistake("days", "A digest comes daily or weekly.")
	}
	return nil
}

// Kinds of mails.
const (
	MailOfThread mails.Kind = "thread" // a member's notifications of one thread
	MailOfAll    mails.Kind = "digest"
)

// mailPause is the minimum time between two mails about a thread.
const mailPause = 10 * time.Minute

const (
	// how is the member's choice for a row i of inbox; decisions count as replies. m is their row of mail_choices, if they have one.
	how = `CASE iif(i.event = '', i.kind, 'reply') WHEN 'reply' THEN coalesce(m.replies, 'now') WHEN 'mention' THEN coalesce(m.mentions,
  'now') ELSE coalesce(m.threads, 'none') END`

	// Index inbox_subject, then primary keys. Nothing is mailed twice: the rows of thread_mails record that for a day, and a notification
	// that is older than half a day was mailed before, if at all.
	unmailed = `INSERT INTO thread_mails (user_id, post_id, due_at, mailed_to, mailed_at) SELECT i.user_id, i.post_id, ` + data.DatabaseNow +
		`, i.id - 1, 0
FROM json_each(:news) n CROSS JOIN inbox i ON i.post_id = n.value ->> 'post' AND i.subject_id = n.value ->> 'subject'
  CROSS JOIN users u ON u.id = i.user_id
LEFT JOIN mail_choices m ON m.user_id = i.user_id WHERE i.unread = 1 AND i.created_at > ` + data.DatabaseNow + ` - 43200000
  AND u.email_confirmed_at IS NOT NULL AND ` + how + ` = 'now'
ON CONFLICT (user_id, post_id) DO UPDATE SET due_at = max(excluded.due_at, mailed_at + :pause) WHERE due_at IS NULL
  AND excluded.mailed_to >= mailed_to`

	// Indexes thread_mails_due and mail_choices_due, in their order, from their start. No id of inbox is used twice (inbox_last_gone).
	dueThreads = `SELECT t.user_id, t.post_id, t.due_at, t.mailed_to, (SELECT max(id) FROM inbox) FROM thread_mails t
WHERE t.due_at <= ` + data.DatabaseNow + ` ORDER BY t.due_at LIMIT :limit`
	dueDigests = `SELECT m.user_id, 0, m.digest_at, m.digest_to, (SELECT max(id) FROM inbox) FROM mail_choices m
WHERE m.digest_at <= ` + data.DatabaseNow + ` ORDER BY m.digest_at LIMIT :limit`
	// Of two concurrent runs, one enqueues the mail. A notification that came after the due mails were read is mailed after the pause.
	threadMailed = `UPDATE thread_mails SET mailed_to = :upto, mailed_at = ` + data.DatabaseNow + `, due_at = iif(
  EXISTS (SELECT 1 FROM inbox i WHERE i.id > :upto AND +i.user_id = :user AND +i.post_id = :post), ` + data.DatabaseNow + ` + :pause, NULL)
WHERE user_id = :user AND post_id = :post AND due_at = :due`
	// The next digest is at the same time of day, UTC, however late this one is.
	digestMailed = `UPDATE mail_choices SET digest_to = :upto, digest_at = digest_at + days * 86400000 * (1 + (` + data.DatabaseNow +
		` - digest_at) / (days * 86400000))
WHERE user_id = :user AND digest_at = :due`
	// Index thread_mails_age. After the pause, the row has no information that the unread rows don't have.
	purgeMailed = `DELETE FROM thread_mails WHERE (user_id, post_id) IN (SELECT t.user_id, t.post_id FROM thread_mails t
  WHERE t.due_at IS NULL AND t.mailed_at < ` + data.DatabaseNow + ` - 86400000 LIMIT :limit)`
	// Index thread_mails_due. If a site sends no mails, or did not run for long, they are deleted when they are too old.
	purgeUnmailed = `DELETE FROM thread_mails WHERE (user_id, post_id) IN (SELECT t.user_id, t.post_id FROM thread_mails t
  WHERE t.due_at < ` + data.DatabaseNow + ` - 86400000 ORDER BY t.due_at LIMIT :limit)`
)

// mailsAtOnce limits the mails of each kind that one transaction enqueues.
const mailsAtOnce = 50

// EnqueueMails enqueues the mails that are due: notifications of threads, and digests, at most mailsAtOnce of each. The
// others stay due. Unavailable.
func (s *Store) EnqueueMails(ctx context.Context) error {
	type due struct {
		user, post  data.ID
		at          int64
		since, upto int64
	}
	var all []due
	scan := func(row *data.Row) { all = append(all, due{row.ID(), row.ID(), row.Int(), row.Int(), row.Int()}) }
	args := data.Args{"now": s.Source.DatabaseNow(), "limit": mailsAtOnce}
	r := s.DB.Read()
	r.Find(dueThreads, args, scan)
	r.Find(dueDigests, args, scan)
	if err := r.Run(ctx); err != nil || len(all) == 0 {
		return err
	}
	w := s.DB.Write()
	for _, d := range all {
		kind, args := MailOfAll, data.Args{"user": d.user, "due": d.at, "upto": d.upto, "now": s.Source.DatabaseNow()}
		if d.post != 0 {
			kind, args["post"], args["pause"] = MailOfThread, d.post, mailPause
			w.Do(threadMailed, args)
		} else {
			w.Do(digestMailed, args)
		}
		mails.EnqueueIfChanged(w, s.Source, mails.Mail{
			Key: fmt.Sprint(kind, " ", d.user, " ", d.post, " ", d.at), Kind: kind, User: d.user,
			About: map[string]string{"post": d.post.String(), "since": strconv.FormatInt(d.since, 10), "upto": strconv.FormatInt(d.upto, 10)},
		})
	}
	return w.Run(ctx)
}

// PurgeMailed deletes rows that have no use after a day: mutes that have ended, the times of mails about threads that no longer hold back
// another mail, and mails that were not enqueued for a day.
func (s *Store) PurgeMailed(ctx context.Context) error {
	w := s.DB.Write()
	args := data.Args{"now": s.Source.DatabaseNow(), "limit": notifyStep}
	w.Do(purgeEnded, args)
	w.Do(purgeMailed, args)
	w.Do(purgeUnmailed, args)
	return w.Run(ctx)
}

// Index inbox_unread, among all that is unread, at most 1,000 rows; then primary keys.
const unreadToMail = `SELECT i.kind, i.subject_id, i.post_id, i.community_name, i.slug, i.title, a.username, i.excerpt, i.event, i.about_id
FROM inbox i LEFT JOIN users a ON a.id = i.author_id LEFT JOIN mail_choices m ON m.user_id = i.user_id
WHERE i.user_id = :user AND i.unread = 1 AND +i.id > :since AND +i.id <= :upto AND iif(:post, i.post_id = :post, 1) AND ` + how + ` = :how
  AND NOT EXISTS (SELECT 1 FROM watches q WHERE q.user_id = i.user_id AND q.post_id = i.post_id AND ` + MutedNow + `)
ORDER BY i.subject_id LIMIT :limit`

// FindToMail returns the content of a mail of EnqueueMails: unread notifications of threads that the member has not muted, the oldest
// first, at most limit. If it is empty, the mail need not be sent.
func (s *Store) FindToMail(ctx context.Context, m mails.Mail, limit int) (items []*Item, err error) {
	args := data.Args{"user": m.User, "how": MailDigest, "limit": limit}
	if m.Kind == MailOfThread {
		args["how"] = MailNow
	}
	for _, name := range []string{"post", "since", "upto"} {
		n, err := strconv.ParseInt(m.About[name], 10, 64)
		if err != nil {
			return nil, err
		}
		args[name] = n
	}
	r := s.DB.Read()
	r.Find(unreadToMail, args, func(row *data.Row) {
		items = append(items, &Item{Kind: row.Text(), Subject: row.ID(), Post: row.ID(), Community: row.Text(), Slug: row.Text(),
			Title:  row.Text(),
			Author: row.Text(), Excerpt: row.Text(), Event: Event(row.Text()), About: row.ID()})
	})
	err = r.Run(ctx)
	return items, err
}

const (
	mailChoices = `SELECT replies, mentions, threads, days FROM mail_choices WHERE user_id = :user`
	chooseMail  = `INSERT INTO mail_choices (user_id, replies, mentions, threads, days, digest_at, digest_to)
SELECT :actor, :replies, :mentions, :threads, :days, iif(:digests, ` + data.DatabaseNow +
		` + :days * 86400000, NULL), coalesce((SELECT max(id) FROM inbox), 0)
WHERE ` + data.LiveSession + `
ON CONFLICT (user_id) DO UPDATE SET replies = excluded.replies, mentions = excluded.mentions, threads = excluded.threads,
  digest_at = iif(days = excluded.days AND excluded.digest_at IS NOT NULL, coalesce(digest_at, excluded.digest_at), excluded.digest_at),
  digest_to = iif(digest_at IS NULL, excluded.digest_to, digest_to), days = excluded.days`
	// A member without a row has the default choices, which have no digest.
	endAtOnce = `INSERT INTO mail_choices (user_id, replies, mentions, threads, days, digest_at, digest_to)
SELECT u.id, 'none', 'none', 'none', 1, NULL, 0 FROM users u WHERE u.id = :user
ON CONFLICT (user_id) DO UPDATE SET replies = iif(replies = 'now', 'none', replies), mentions = iif(mentions = 'now', 'none', mentions),
  threads = iif(threads = 'now', 'none', threads)`
	endDigest = `UPDATE mail_choices SET replies = iif(replies = 'digest', 'none', replies), mentions = iif(mentions = 'digest', 'none',
  mentions), threads = iif(threads = 'digest', 'none', threads), digest_at = NULL WHERE user_id = :user`
)

// FindMailChoices reads a member's choices along with a page.
func (s *Store) FindMailChoices(r *data.Read, member data.ID) *MailChoices {
	choices := new(MailChoices)
	*choices = defaultMail
	r.Find(mailChoices, data.Args{"user": member}, func(row *data.Row) {
		*choices = MailChoices{row.Text(), row.Text(), row.Text(), int(row.Int())}
	})
	return choices
}

// ChooseMail stores the member's choices. Invalid, Unauthenticated.
func (s *Store) ChooseMail(ctx context.Context, a data.Actor, c MailChoices) error {
	if err := c.Validate(); err != nil {
		return err
	}
	w := s.DB.Write()
	digests := c.Replies == MailDigest || c.Mentions == MailDigest || c.Threads == MailDigest
	w.Do(chooseMail, a.Args(data.Args{"replies": c.Replies, "mentions": c.Mentions, "threads": c.Threads, "days": c.Days, "digests": digests,
		"now": s.Source.DatabaseNow()}))
	return w.RunAs(ctx, a)
}

// EndMails ends a member's mails of one kind. A user with the link of such a mail may call it. A repetition changes nothing.
func (s *Store) EndMails(ctx context.Context, member data.ID, kind mails.Kind) error {
	w := s.DB.Write()
	if kind == MailOfThread {
		w.Do(endAtOnce, data.Args{"user": member})
	} else {
		w.Do(endDigest, data.Args{"user": member})
	}
	return w.Run(ctx)
}
