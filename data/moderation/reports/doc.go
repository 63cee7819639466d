// Package reports stores what members report, and the queue of what waits for moderators because of it. Reports about posts and comments
// are on their shard, those about members in the directory.
//
// # A report
//
// A report is a row of reports: one for each member and thing. A trigger counts it in queue_items, a row for each thing that waits for
// moderators or has waited, and in report_reasons. So a page of the queue reads a range of an index and about a dozen rows for each thing,
// however much waits and however often it was reported (TestRowsRead). A report has a weight, which follows from the standing of its
// reporter in the community (reputation.Reputation) and is stored with it. The trigger adds the weights up in queue_items.weight, by which
// the index queue_items_most is ordered. The queue of all communities of a moderator merges a page of each; where the directory is another
// database, it is asked first which these are.
//
// # Decisions
//
// A decision is one transaction on each shard. It changes only items of the queue that are still open, and for removals it gathers the
// statements of data/moderation, with the same condition. So the first decision stays, and the second moderator is told who made the first.
// Removing something outside of the queue decides its item as well. A new report opens a decided item again, unless the decision was to
// ignore further reports. Each decision is also noted in report_outcomes until the consumer of reported has told the reporters. So they are
// told even if the item was opened again in between.
//
// # Held
//
// What is held has the status removed and held = 1 in posts or comments. A moderator's removal sets held to 2, an approval to 0. Only its
// author and the moderators see it; for everybody else its address answers 404. The indexes of siblings, by which threads are
// read, have no comment that is held, and it is counted only when it is approved. Approving a post sets created_at,
// gives the author's own vote and leaves the work of publishing, as for a scheduled post.
//
// # What waits
//
// community_stats.waiting counts the open items of a community's queue. Triggers write the sum of it and of the open cases of quarantined
// votes into communities.waiting, which is read with a member's state. When the directory is another database than the shard, it has a
// copy, which is updated after each decision and once a minute (CopyCounts).
package reports
