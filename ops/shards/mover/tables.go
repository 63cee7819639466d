package mover

import (
	"slices"
	"strconv"
	"strings"

	"plaza/data/events/outbox"
)

// table is a table of a shard with rows that belong to a slot.
type table struct {
	name string
	keys []string // its primary key
	// The column with an id of the slot, or an expression of row {x}. Most rows of communities have no such id of their own, but the
	// community's.
	slot  string
	more  string // an additional condition; {x} is the row
	large bool   // rows may be large, so fewer are copied at once
}

// movedJobs are the kinds of jobs in the outbox that move with a slot. Their subjects are posts and comments, and entries of the modlog and
// quarantines of communities. Other jobs have subjects in the directory.
var movedJobs = []outbox.Job{outbox.JobLink, outbox.JobNotify, outbox.JobUpdate, outbox.JobDecided, outbox.JobReported,
	outbox.JobNotPublished, outbox.JobQuarantined, outbox.JobClear, outbox.JobForget, outbox.JobTimeline}

func isMovedJob() string {
	var list []string
	for _, w := range movedJobs {
		list = append(list, "'"+string(w)+"'")
	}
	return "{x}.job IN (" + strings.Join(list, ", ") + ")"
}

// tables are in the order of insertion: referenced tables first.
var tables = []table{
	{name: "posts", keys: []string{"id"}, slot: "id"},
	{name: "post_texts", keys: []string{"post_id"}, slot: "post_id", large: true},
	{name: "comments", keys: []string{"id"}, slot: "id", large: true},
	{name: "comment_sources", keys: []string{"source"}, slot: "comment_id"},
	{name: "votes", keys: []string{"target_id", "user_id"}, slot: "target_id"},
	{name: "vote_deltas", keys: []string{"target_id", "user_id"}, slot: "target_id"},
	{name: "count_deltas", keys: []string{"post_id", "path"}, slot: "post_id"},
	{name: "vote_origins", keys: []string{"part", "target_id", "created_at", "user_id"}, slot: "target_id"},
	{name: "deleted_drafts", keys: []string{"post_id"}, slot: "post_id"},
	{name: "mentions", keys: []string{"subject_id", "name_key"}, slot: "subject_id"},
	{name: "visits", keys: []string{"user_id", "post_id"}, slot: "post_id"},
	{name: "saves", keys: []string{"user_id", "target_id"}, slot: "target_id"},
	{name: "hides", keys: []string{"user_id", "post_id"}, slot: "post_id"},
	{name: "bans", keys: []string{"id"}, slot: "community_id"},
	{name: "flairs", keys: []string{"id"}, slot: "community_id"},
	{name: "flair_sets", keys: []string{"community_id"}, slot: "community_id"},
	{name: "member_flairs", keys: []string{"user_id", "community_id"}, slot: "community_id"},
	// The posts of the week are counted again.
	{name: "community_stats", keys: []string{"community_id"}, slot: "community_id"},
	{name: "reputations", keys: []string{"community_id", "user_id"}, slot: "community_id"},
	{name: "quarantines", keys: []string{"id"}, slot: "community_id"},
	{name: "quarantined_votes", keys: []string{"quarantine_id", "user_id"}, slot: "quarantine_id"},
	{name: "reports", keys: []string{"target_id", "reporter_id"}, slot: "target_id"},
	{name: "queue_items", keys: []string{"target_id"}, slot: "target_id"},
	{name: "report_reasons", keys: []string{"target_id", "reason"}, slot: "target_id"},
	{name: "report_outcomes", keys: []string{"target_id", "decided_at"}, slot: "target_id"},
	{name: "rules", keys: []string{"id"}, slot: "community_id"},
	// Hits of the site's rules are summed over all shards, and stay.
	{name: "rule_counts", keys: []string{"site", "rule_id"}, slot: "(SELECT r.community_id FROM rules r WHERE r.id = {x}.rule_id)",
		more: `{x}.site = 0`},
	{name: "rule_hits", keys: []string{"target_id", "rule_id"}, slot: "target_id"},
	{name: "member_notes", keys: []string{"id"}, slot: "community_id"},
	// Decisions about the moderators and the settings of a community have ids of the directory, where they stay.
	{name: "moderation_log", keys: []string{"id"}, slot: "id"},
	// The results of other forms are in the directory.
	{name: "idempotency_keys", keys: []string{"author_id", "key"}, slot: "result_id",
		more: `({x}.key GLOB 'post *' OR {x}.key GLOB 'comment *')`},
	{name: "outbox", keys: []string{"job", "subject_id"}, slot: "subject_id", more: isMovedJob()},
}

// belongs returns a condition: the row belongs to the slot. It has no parameters, because triggers have none.
func (t *table) belongs(row string, slot int) string {
	id := t.slot
	if !strings.Contains(id, "{x}") {
		id = "{x}." + id
	}
	condition := "((" + id + " >> 12) & 1023) = " + strconv.Itoa(slot)
	if t.more != "" {
		condition += " AND " + t.more
	}
	return strings.ReplaceAll(condition, "{x}", row)
}

// readColumns returns the columns that belongs uses, and the keys.
func (t *table) readColumns() string {
	columns := slices.Clone(t.keys)
	if !strings.Contains(t.slot, "{x}") && !slices.Contains(columns, t.slot) {
		columns = append(columns, t.slot)
	}
	return strings.Join(columns, ", ")
}

// find returns the table with a name.
func find(name string) *table {
	return &tables[slices.IndexFunc(tables, func(t table) bool { return t.name == name })]
}
