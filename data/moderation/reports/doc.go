// Package reports stores members' reports and the moderators' queue. Reports about posts and comments are on their shard, those about
// members in the directory. A trigger counts them in queue_items, one row for each item, so pages of the queue are ranges of an index. A
// decision changes only items that are still open.
//
// Begin with Store.Report (report.go), Store.FindQueue (queue.go) and Store.Decide (decide.go). docs/inside/moderation.md says how counts
// and held items work.
package reports
