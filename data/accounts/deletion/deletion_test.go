package deletion_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza"
)

// becomes says for each table what a deletion does to the rows that name a member.
var becomes = map[string]string{
	"users": "stays, empty but for the id", "account_deletions": "goes after 90 days, with the name", "author_karma": "stays, by the id alone",
	"pictures": "lose the name; those that nothing uses go after a day", "picture_totals": "go, with the last picture that has the name",
	"posts": "lose the name, or are deleted", "comments": "lose the name, or are deleted", "quarantines": "lose the name of who decided",
	"subscriptions": "go", "follows": "go", "tag_follows": "go", "moderators": "go", "reputations": "stay, by the id alone",
	"branch_decisions": "go when they are carried out, by the id alone", "branch_members": "the same",
	"karma_changed": "goes with the next copy, by the id alone", "moderator_invitations": "go; inviter_id is an id", "inbox": "go",
	"visits": "go", "watches": "go", "passkeys": "go", "identities": "go", "sessions": "go", "tokens": "go",
	"sign_in_networks": "go", "saves": "go", "hides": "go", "blocks": "go; those of others have the id alone", "timeline": "go",
	"member_editions": "go",
	"mail_choices":    "go", "devices": "go, and what waits for them", "push_choices": "go", "thread_mails": "go", "totp": "go",
	"recovery_codes": "go",
	"votes":          "stay: they are in the counters", "vote_deltas": "go when they are applied", "vote_origins": "go within 48 hours",
	"quarantined_votes": "stay with their votes",
	"mails":             "go within a week", "mail_links": "go when they run out, and are void", "idempotency_keys": "go",
	"deleted_drafts": "go after a day",
	"communities":    "stay: creator_id is an id", "names": "go", "avatars": "go",
	"moderation_log": "loses the name of who decided, and the notes to the member", "former_names": "go after 90 days, with the name",
	"invites": "stay by the id alone: they say who was invited by whom", "bans": "go", "member_notes": "go; author_id is an id",
	"member_flairs": "go",
	"reports":       "stay by the id alone, without what the member has added", "queue_items": "stay: decided_by is an id",
	"report_outcomes": "go when reporters are told", "rules": "stay: changed_by is an id",
	"contact_messages":      "lose the name, the address when they are answered, and go half a year after the answer",
	"conversations":         "stay by the id alone, closed, without a subject and with the verdict",
	"conversation_messages": "go; what they wrote as a moderator stays by the id alone",
	"wiki_revisions":        "stay by the id alone: they are the community's",
}

// TestEveryTableIsThoughtOf finds the tables that name members.
func TestEveryTableIsThoughtOf(t *testing.T) {
	found := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?ms)^CREATE TABLE IF NOT EXISTS (\w+) \(\n(.*?)^\) STRICT`).
		FindAllStringSubmatch(plaza.Schema, -1) {
		if regexp.MustCompile(`(?m)^\s+(user_id|author_id|reporter_id|follower_id|blocker_id|creator_id|decided_by|changed_by|username|` +
			`author_name)\s`).MatchString(m[2]) {
			found[m[1]] = true
			require.Contains(t, becomes, m[1], "what becomes of this table's rows when an account is deleted? See steps.go")
		}
	}
	for table := range becomes {
		require.True(t, found[table], table)
	}
}
