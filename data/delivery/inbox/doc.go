// Package inbox keeps members' notifications: of replies, of mentions, and of comments in threads that they follow. It is in the directory.
//
// # Who is notified
//
// Members are notified of replies to their posts and comments, of mentions (@name, u/name), and of every comment in threads that they
// follow. The transaction that writes a comment leaves the work notify in its shard's outbox. The consumer of the events queue claims it
// (Claim), reads the comment and finds its mentions (markdown.Mentions, not in quotes or code, at most ten, edits included). Then it writes
// the rows of inbox in the directory (Notify), in one transaction for a whole delivery. The unique key (post, subject, member) allows one
// row for each member and comment, however often the work is done. If there are several reasons, the row has the first of reply, mention
// and thread. Members are not notified of their own comments, of comments by members whom they block, or of comments in a thread that was
// muted at the time (watches). The time of the comment decides, not that of the consumer: outbox.queued_at of this work is the database's
// time of the comment, and watches has the time since which a member follows a thread, and the begin and end of the last mute. Triggers
// keep users.unread in the same transaction; every page of a member reads it with the rest of the member's state.
//
//   - Changes. An edit and a deletion leave the work update. That work takes deleted and removed posts and comments out of all inboxes,
//     some seconds later. The page can't leave them out by itself, because the inbox is in the directory and has only copies. An edit
//     changes the excerpts and notifies the members that it mentions for the first time. The table mentions on the shard keeps earlier
//     mentions for good. If a comment changes while members are notified of it, the consumer's last statement notices that and leaves the
//     work update again.
//   - Decisions (decided.go, notice.go). Triggers leave the work decided for entries of moderation_log about a member, or about a member's
//     post or comment. They leave the work reported for decided items of the queue. So members are notified of every decision, whatever
//     code makes it. The rows of inbox have a notice, and the id of the entry as their subject. A decision about a report has no entry of
//     its own. Its subject is a number made of the id of the reported post or comment and the time, so doing the work twice writes one row.
//     Voters whose votes are quarantined are notified an hour later, of the whole case at once (quarantined.go).
//     The job that publishes scheduled posts leaves the work withheld for posts that it does not publish, and their authors are notified.
//     The kind of all these rows is thread, because the table's CHECK allows no other. Mails and pushes treat them like replies. A
//     suspended member finds them after the suspension.
//   - Pages. Lists are ranges of indexes by the row's id, which grows with the time of the notification. The list of unread items uses the
//     comment's id. "All" merges three ranges. A page of 30 reads about 65 rows, at 100,000 rows as at 1,000 (TestRowsRead in
//     data/delivery/inbox). Items are grouped by thread within a page.
//   - Read once. The page of a comment marks its item as read, and its header already counts one less. The page reads in its own request
//     whether there is such an item. The write follows after the response (Background), because a write before it would cost the page a
//     second request. The response carries a new fresh cookie, so that other instances read the count again. On other devices it is right
//     within data.OwnLife. Whether a post mentions its reader is read after the response, and only where its text says so or the member's
//     state does not rule it out (accounts.Viewer.MayHaveUnread). Other pages have left that state, up to data.OwnLife ago.
//   - Bounds. The job of each minute deletes rows after 180 days, and the oldest rows of a member who has more than 1,000 (users.told), a
//     few at a time. One transaction notifies at most 1,000 followers of a thread, and one delivery 10,000. The sweep continues a minute
//     later.
//   - Mails. The transaction that notifies also writes into thread_mails when a mail about the thread is due: now, or ten minutes after the
//     last one. LeaveMails leaves the mails that are due, and the digests of mail_choices, each at the same time of the day (UTC) as the
//     one before. Both tables keep the id of the last mailed row of inbox. So ids of inbox are never used again (the trigger
//     inbox_last_gone). The text of a mail is made when it is sent, from the items that are still unread, without threads that were muted
//     meanwhile. Its link to end such mails is signed and needs no session (worker/inbox/inbox_mail.go).
package inbox
