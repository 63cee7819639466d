package mover_test

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data/events/outbox"
	"plaza/ops/shards/mover"
	"plaza/stack"
	"plaza/test/sitetest"
	"plaza/test/stacktest"
)

// stay are the tables that are not moved, by the reason.
var stay = map[string]string{
	"the directory has it alone": `users mail_links former_names sign_in_networks passkeys identities totp recovery_codes account_deletions
used_nonces limits
sessions tokens subscriptions follows tag_follows timeline moderators moderator_invitations wiki_pages wiki_revisions invites branch_decisions
branch_members mails inbox conversations conversation_messages watches mail_choices thread_mails devices push_choices pushes pictures
picture_totals picture_blocks legal_notices slots slot_moves dead_letters site_pages contact_messages metrics editions member_editions`,
	"every database has a copy of the directory's":                         `revocations blocks names avatars site_settings`,
	"the directory's row is copied":                                        `communities link_previews`,
	"triggers make it of rows that come and go":                            `tag_keys post_tags picture_uses picture_losses post_days search_posts search_comments`,
	"it is counted anew":                                                   `moderation_counts transparency`,
	"what was earned in the slot is taken from one and added to the other": `author_karma`,
	"the move of author_karma marks whose karma changes":                   `karma_changed`,
	"it is about the whole shard":                                          `weeks health schema_steps search_common search_due search_purges`,
	"communities and people are searched in the directory":                 `search_communities search_people`,
	"indexes of the search, as tables":                                     `search_posts_terms search_comments_terms`,
	"it is empty but within a transaction":                                 `bulk_writes`,
	"the move keeps it itself":                                             `frozen_slots`,
}

// TestEveryTable requires a decision about every table: it moves with a community, or it stays for a reason.
func TestEveryTable(t *testing.T) {
	db := sitetest.OpenSQL(t, stacktest.OpenSchemaURL(t))
	moved, stays := mover.Moved(64), strings.Fields(strings.Join(slices.Collect(maps.Values(stay)), " "))
	rows, err := db.Query(`SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'virtual') AND name NOT LIKE 'sqlite_%'
  AND name NOT LIKE '_litestream%' AND name NOT LIKE 'libsql_%'`)
	require.NoError(t, err)
	var all []string
	for rows.Next() {
		var name string
		require.NoError(t, rows.Scan(&name))
		all = append(all, name)
		require.True(t, moved[name] != "" != slices.Contains(stays, name),
			"does %s move with a community? Put it into tables of ops/shards/mover, or say here why it stays", name)
	}
	require.NoError(t, rows.Err())
	for _, name := range stays {
		require.Contains(t, all, name)
	}
}

// TestEveryJob requires a decision about every kind of work: it moves with its subject, or its subject is in the directory.
func TestEveryJob(t *testing.T) {
	ofDirectory := []outbox.Job{outbox.JobVerdict, outbox.JobRename, outbox.JobRevokeSessions, outbox.JobBlocks, outbox.JobCommunity,
		outbox.JobInviteTree, outbox.JobBackfill, outbox.JobRebuild}
	known := 0
	for _, name := range found(t, "data/events/outbox", `Job\w+ +Job = "([a-z-]+)"`) {
		job := outbox.Job(name)
		require.True(t, slices.Contains(mover.MovedJobs, job) != slices.Contains(ofDirectory, job), "does job %s move with a community?", name)
		require.True(t, job.Known())
		known++
	}
	require.Equal(t, len(mover.MovedJobs)+len(ofDirectory), known)
}

// TestEveryForm requires the same for the results of forms (table idempotency_keys).
func TestEveryForm(t *testing.T) {
	forms := found(t, "data", `\bForm: +"(\w+)`)
	slices.Sort(forms)
	require.Equal(t, []string{"comment", "community", "contact", "invite", "post", "signup", "token"}, slices.Compact(forms),
		"does what a new form has made move with a community? See idempotency_keys in tables of ops/shards/mover")
	require.Contains(t, mover.Moved(64)["idempotency_keys"], `x.key GLOB 'post *' OR x.key GLOB 'comment *'`)
}

// found returns the matches of an expression in the Go files of a folder, without tests.
func found(t *testing.T, folder, expression string) (list []string) {
	root, err := stack.Root()
	require.NoError(t, err)
	pattern := regexp.MustCompile(expression)
	require.NoError(t, filepath.WalkDir(filepath.Join(root, folder), func(path string, d os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range pattern.FindAllStringSubmatch(string(text), -1) {
			list = append(list, m[1])
		}
		return err
	}))
	require.NotEmpty(t, list)
	return list
}
