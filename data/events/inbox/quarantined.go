package inbox

import (
	"context"

	"plaza/data"
	"plaza/data/events/outbox"
)

const (
	// Primary keys.
	caseNews = `SELECT q.id, q.target_id, q.status, q.votes, q.notified_to, coalesce(p.id, q.target_id), coalesce(p.community_name, ''),
  coalesce(p.slug, ''), coalesce(` + title + `, '')
FROM json_each(:ids) j CROSS JOIN quarantines q ON q.id = j.value LEFT JOIN comments c ON c.id = q.target_id
  LEFT JOIN posts p ON p.id = coalesce(c.post_id, q.target_id)`
	// The voters whose votes still have the status that the case gave them. A vote that was changed after a release is excluded, even if the
	// release was undone.
	voters = `SELECT m.user_id FROM quarantined_votes m CROSS JOIN votes v ON v.target_id = :target AND v.user_id = m.user_id
WHERE m.quarantine_id = :case AND m.user_id > :after AND (:status IS NULL OR v.status = :status) ORDER BY m.user_id LIMIT :limit`
	// Records how far this delivery got. If the case was decided or grew meanwhile, notified_to is 0 again and this changes nothing.
	notifiedTo = `UPDATE quarantines SET notified_to = :to WHERE id = :case AND notified_to = :from AND status = :status AND votes = :votes`

	// Index inbox_subject.
	updateCase = `UPDATE inbox SET event = :event, unread = 1 WHERE post_id = :post AND subject_id = :case
  AND user_id IN (SELECT value FROM json_each(:members)) AND event <> :event`
	// Primary key.
	insertCase = `INSERT INTO inbox (user_id, kind, event, about_id, subject_id, post_id, community_name, slug, title, excerpt, created_at)
SELECT u.id, 'thread', :event, :target, :case, :post, :community, :slug, :title, '', ` + data.DatabaseNow + `
FROM json_each(:members) m CROSS JOIN users u ON u.id = m.value WHERE u.username_key NOT LIKE '~%' ON CONFLICT DO NOTHING`
)

// EventsOfCases maps the status of a case to the notification of its voters.
var EventsOfCases = map[string]Event{"open": VoteQuarantined, "dropped": VoteDropped, "released": VoteReleased}

// votesOfCases maps the status of a case to the status of its votes. Votes of a released case can have any status.
var votesOfCases = map[string]any{"open": data.VoteQuarantined, "dropped": data.VoteDropped}

// NotifyQuarantined notifies the voters of cases of the current status of each case (outbox.JobQuarantined). One delivery runs at most
// notifySteps transactions for all its cases, each for at most entriesPerWrite voters of one case; the next delivery continues there. A
// voter has one notification for each case, which is updated. Voters who were not notified of the quarantine are not notified of the
// release. It enqueues no mails, because a case may have thousands of accounts whose mail no person reads. It returns the same as
// NotifyDecided.
func (s *Store) NotifyQuarantined(ctx context.Context, cases []data.ID) (missed []data.ID, err error) {
	steps := notifySteps
	return s.eachClaimed(ctx, outbox.JobQuarantined, cases, func(ctx context.Context, where data.Where, ids []data.ID,
		notified *runResult) error {
		type found struct {
			decided
			status     string
			votes      int64
			notifiedTo data.ID
		}
		var list []found
		r := s.DB.Read()
		r.FindAt(where, caseNews, data.Args{"ids": ids}, func(row *data.Row) {
			n := found{}
			n.subject, n.about, n.status, n.votes = row.ID(), row.ID(), row.Text(), row.Int()
			n.notifiedTo, n.post, n.community, n.slug, n.title = row.ID(), row.ID(), row.Text(), row.Text(), row.Text()
			n.event = EventsOfCases[n.status]
			list = append(list, n)
		})
		if err := r.Run(ctx); err != nil {
			return err
		}
		for _, n := range list {
			to, whole, err := s.notifyVoters(ctx, where, n.decided, votesOfCases[n.status], n.notifiedTo, &steps)
			if err != nil {
				notified.failed(n.subject, err)
				continue
			}
			notified.rest[n.subject] = !whole
			notified.end(notifiedTo, data.Args{"case": n.subject, "from": n.notifiedTo, "to": to, "status": n.status, "votes": n.votes})
		}
		return nil
	})
}

// notifyVoters notifies the voters of a case with ids above after, whose votes have a status; nil is any. It subtracts its
// transactions from steps. It returns the last id that is notified, and whether these are all.
func (s *Store) notifyVoters(ctx context.Context, where data.Where, n decided, status any, after data.ID, steps *int) (to data.ID,
	whole bool, err error) {
	for to = after; *steps > 0; {
		*steps--
		n.members = nil
		r := s.DB.Read()
		r.FindAt(where, voters, data.Args{"case": n.subject, "target": n.about, "status": status, "after": to, "limit": entriesPerWrite},
			func(row *data.Row) { n.members = append(n.members, row.ID()) })
		if err := r.Run(ctx); err != nil || len(n.members) == 0 {
			return to, true, err
		}
		w := s.DB.Write()
		w.Do(updateCase, data.Args{"event": string(n.event), "case": n.subject, "post": n.post, "members": n.members})
		if n.event != VoteReleased {
			w.Do(insertCase, data.Args{"event": string(n.event), "case": n.subject, "target": n.about, "post": n.post,
				"community": n.community, "slug": n.slug, "title": n.title, "members": n.members, "now": s.Source.DatabaseNow()})
		}
		if err := w.Run(ctx); err != nil {
			return to, false, err
		}
		to = n.members[len(n.members)-1]
		if len(n.members) < entriesPerWrite {
			return to, true, nil
		}
	}
	return to, false, nil
}
