// Package inbox keeps what members were told: that somebody has answered or mentioned them, or has written in a thread that they follow. It
// is in the directory.
//
// # Who is told of what
//
// Members are told of answers to what they have written, of mentions (@name, u/name), and of every comment in threads that they follow. The
// transaction that writes a comment leaves the work notify in its shard's outbox. The consumer of the events queue claims it (Claim), reads
// the comment, finds whom it mentions (markdown.Mentions, not in quotes or code, at most ten, edits included), and writes the rows of inbox
// (Tell) in the directory, in one transaction for a whole delivery. The unique key (post, subject, member) allows one row for each member
// and comment, however often the work is done. Of several reasons the row has the first of answer, mention and thread. Nobody is told of
// what they wrote themselves, nor by somebody whom they block, nor of what was written in a thread while they had muted it (watches). The
// time of the comment decides, not that of the consumer: outbox.queued_at of this work is the database's time of the comment, and watches
// has the time since which a member follows a thread, and the begin and end of the last mute. Triggers keep users.unread in the same
// transaction; every page of a member reads it with the rest of the member's state.
//
//   - Changes. An edit and a deletion leave the work update. That work takes what was deleted or removed out of all inboxes, some seconds
//     later. The page can't leave it out by itself, because the inbox is in the directory and has only copies of what is in a thread. An
//     edit changes the excerpts and tells whom it mentions for the first time; mentions on the shard knows the others for good. When
//     something changes while others are told of it, the consumer's last statement sees that and leaves amend again.
//   - Decisions (decided.go, notice.go). Triggers leave the work decided for entries of moderation_log that are about a member or something
//     of theirs, and reported for decided items of the queue. So every decision is told, whatever code makes it. The rows of inbox have a
//     notice, and the id of the entry as their subject. A decision about a report has no entry of its own; its subject is a number made of
//     the reported thing's id and the time, so that telling twice writes one row. The job that publishes scheduled posts leaves withheld
//     for those that it does not publish, whose authors are told. The kind of all these rows is thread, because the table's CHECK allows no
//     other; mails and pushes treat them like answers. A suspended member finds them after the suspension.
//   - Pages. Lists are ranges of indexes by the row's id, which grows with the time of telling; the list of unread items goes by the
//     comment's id. "All" merges three ranges. A page of 30 reads about 65 rows, at 100,000 rows as at 1,000 (TestRowsRead in
//     data/delivery/inbox). Items are grouped by thread within a page.
//   - Read once. The page of a comment marks its item as read and counts one less in its header already. The page reads in its own request
//     whether there is such an item. The write follows after the answer (Background), because a write before it would cost the page a
//     second request. The answer carries a new marker, so that other instances read the count anew; on other devices it is right within
//     data.OwnLife. Whether a post mentions its reader is asked after the answer, and only for a reader with something unread.
//   - Bounds. The job of each minute deletes rows after 180 days, and the oldest rows of a member who has more than 1,000 (users.told), a
//     few at a time. A thread's followers are told 1,000 in a transaction and 10,000 a delivery; the sweep goes on a minute later.
//   - Mails. The transaction that tells also notes in thread_mails that a mail about the thread is due: now, or ten minutes after the last.
//     LeaveMails leaves those that are due, and the digests of mail_choices, each at the same time of the day (UTC) as the one before. Both
//     tables remember the last row of inbox that was mailed, which is why ids of inbox are never used again (AUTOINCREMENT). The letter is
//     written when it is sent, from what is still unread by then, without threads that were muted meanwhile. Its link to end such mails is
//     signed and needs no session (worker/inbox/inbox_mail.go).
package inbox
