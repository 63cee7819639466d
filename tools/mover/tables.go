package mover

import "strings"

// table is a table of a shard, some of whose rows belong to a slot.
type table struct {
	name string
	keys []string // its primary key
	// The column with an id that names the slot. Most rows of communities have no such id of their own, but that of the community.
	slot string
	more string // a condition beside that of the slot; {x} is the row
	// Triggers that count what the whole shard has: its tags, its search, its sitemap and what uses pictures. They fire when rows come and when
	// they go. What other triggers would write is copied.
	keeps []string
}

// tables are in the order in which rows come: what others refer to first.
var tables = []table{
	{name: "posts", keys: []string{"id"}, slot: "id", keeps: []string{"post_tags_made", "post_tags_changed", "post_days_made", "post_days_changed",
		"search_posts_made", "search_posts_changed", "search_posts_gone", "posts_pictured", "posts_repictured", "posts_unpictured"}},
	{name: "post_texts", keys: []string{"post_id"}, slot: "post_id", keeps: []string{"search_texts_made", "search_texts_changed",
		"search_texts_gone"}},
	{name: "comments", keys: []string{"id"}, slot: "id", keeps: []string{"search_comments_made", "search_comments_changed",
		"search_comments_gone", "comments_pictured", "comments_repictured", "comments_unpictured"}},
	{name: "comment_sources", keys: []string{"source"}, slot: "comment_id"},
	{name: "votes", keys: []string{"target_id", "user_id"}, slot: "target_id"},
	{name: "vote_deltas", keys: []string{"target_id", "user_id"}, slot: "target_id"},
	{name: "count_deltas", keys: []string{"post_id", "path"}, slot: "post_id"},
	{name: "ballots", keys: []string{"part", "target_id", "created_at", "user_id"}, slot: "target_id"},
	{name: "deleted_drafts", keys: []string{"post_id"}, slot: "post_id"},
	{name: "mentions", keys: []string{"subject_id", "name_key"}, slot: "subject_id"},
	{name: "visits", keys: []string{"user_id", "post_id"}, slot: "post_id"},
	{name: "saves", keys: []string{"user_id", "target_id"}, slot: "target_id"},
	{name: "hides", keys: []string{"user_id", "post_id"}, slot: "post_id"},
	{name: "bans", keys: []string{"id"}, slot: "community_id"},
	{name: "flairs", keys: []string{"id"}, slot: "community_id"},
	{name: "flair_sets", keys: []string{"community_id"}, slot: "community_id"},
	{name: "member_flairs", keys: []string{"user_id", "community_id"}, slot: "community_id"},
	{name: "community_stats", keys: []string{"community_id"}, slot: "community_id"},
	{name: "standings", keys: []string{"community_id", "user_id"}, slot: "community_id"},
	{name: "voter_ages", keys: []string{"community_id"}, slot: "community_id"},
	{name: "quarantines", keys: []string{"id"}, slot: "community_id"},
	{name: "quarantined_votes", keys: []string{"quarantine_id", "user_id"}, slot: "quarantine_id"},
	{name: "reports", keys: []string{"target_id", "reporter_id"}, slot: "target_id"},
	{name: "queue_items", keys: []string{"target_id"}, slot: "target_id"},
	{name: "report_reasons", keys: []string{"target_id", "reason"}, slot: "target_id"},
	{name: "report_outcomes", keys: []string{"target_id", "decided_at"}, slot: "target_id"},
	{name: "rules", keys: []string{"id"}, slot: "community_id"},
	{name: "rule_hits", keys: []string{"target_id", "rule_id"}, slot: "target_id"},
	{name: "member_notes", keys: []string{"id"}, slot: "community_id"},
	// Decisions about the moderators and the settings of a community have ids of the directory, where they stay.
	{name: "moderation_log", keys: []string{"id"}, slot: "id", keeps: []string{"moderation_log_counted", "moderation_log_undone"}},
	// The directory remembers the founding of a community, and copies it.
	{name: "made", keys: []string{"author_id", "key"}, slot: "made_id", more: `{x}.key NOT GLOB 'community*'`},
	{name: "outbox", keys: []string{"subject_id", "work"}, slot: "subject_id", more: `{x}.work <> 'community'`},
}

// belongs is the condition that a row belongs to the slot :slot. It is put into triggers, too, which have no parameters.
func (t *table) belongs(row, slot string) string {
	condition := "((" + row + "." + t.slot + " >> 12) & 1023) = " + slot
	if t.more != "" {
		condition += " AND " + strings.ReplaceAll(t.more, "{x}", row)
	}
	return condition
}
