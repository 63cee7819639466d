// Package reports stores members' reports and the moderators' queue. Reports about posts and comments are on their shard, those about
// members in the directory.
//
// # A report
//
// A report is a row of reports: one for each member and reported item. A trigger counts it in report_reasons and in queue_items, which has
// a row for each open or decided item. So a page of the queue reads a range of an index and about a dozen rows for each item, however long
// the queue is and however often the item was reported (TestRowsRead). A report has a weight, which follows from the reputation of its
// reporter in the community (reputation.Reputation) and is stored with it. The trigger adds the weights up in queue_items.weight, and the
// index queue_items_most has that order. The queue of all communities of a moderator merges a page of each. Where the directory is another
// database, one request reads first which communities these are.
//
// # Decisions
//
// A decision is one transaction on each shard. It changes only items of the queue that are still open, and for removals it gathers the
// statements of data/moderation, with the same condition. So the first decision stays, and the second moderator reads who made the first.
// Removing a post or comment outside of the queue decides its item as well. A new report opens a decided item again, unless the decision
// was to ignore further reports. Each decision is also noted in report_outcomes until the consumer of the work reported has notified the
// reporters. So they are notified even if the item was opened again in between.
//
// # Held
//
// A held post or comment has the status removed and held = 1. A moderator's removal sets held to 2, an approval to 0. Only its author and
// the moderators see it. For all others its address returns 404. The indexes of siblings, by which threads are read, have no comment that
// is held, and it is counted only when it is approved. Approving a post sets created_at, adds the author's own vote and leaves the work of
// publishing, as for a scheduled post.
//
// # Counts of open items
//
// community_stats.waiting counts the open items of a community's queue. Triggers write the sum of it and of the open cases of quarantined
// votes into communities.waiting, which is read with a member's state. When the directory is another database than the shard, it has a
// copy, which is updated after each decision and once a minute (CopyCounts).
package reports
