package data_test

import (
	"go/ast"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/test/storetest"
)

// owners maps each table of schema.sql to its package. Only the package, or triggers, write the table.
var owners = map[string]string{
	"author_karma": "data/content/votes", "avatars": "data/accounts", "vote_origins": "data/content/votes", "bans": "data/rights/bans",
	"blocks":           "data/accounts",
	"branch_decisions": "data/accounts/suspensions", "branch_members": "data/accounts/suspensions", "bulk_writes": "ops/exchange/importer",
	"comment_sources": "ops/exchange/importer",
	"comments":        "data/content/comments", "communities": "data/content/communities", "community_stats": "data/content/communities",
	"contact_messages":      "data/site",
	"conversation_messages": "data/moderation/modmail", "conversations": "data/moderation/modmail", "count_deltas": "data/content/votes",
	"dead_letters":   "data/events/deadletters",
	"deleted_drafts": "data/content/posts", "account_deletions": "data/accounts/deletion", "devices": "data/events/pushes",
	"flair_sets": "data/content/flair", "flairs": "data/content/flair", "member_flairs": "data/content/flair",
	"follows": "data/accounts", "former_names": "data/accounts", "health": "data/site/health", "hides": "data/lists/saves",
	"identities": "data/accounts/identities",
	"inbox":      "data/events/inbox", "invites": "data/accounts/invitations", "karma_changed": "data/accounts",
	"limits": "data/site/ratelimit", "link_previews": "data/content/links",
	"idempotency_keys": "data", "mail_choices": "data/events/inbox", "mail_links": "data/accounts/credentials", "mails": "data/events/mails",
	"member_notes": "data/rights/reputation", "metrics": "data/site/metrics",
	"transparency": "data/moderation/transparency",
	"mentions":     "data/events/inbox", "moderation_counts": "data/events/modlog", "moderation_log": "data/events/modlog",
	"legal_notices":         "data/moderation/legalnotices",
	"moderator_invitations": "data/content/communities",
	"moderators":            "data/content/communities", "names": "data/accounts", "outbox": "data/events/outbox",
	"passkeys": "data/accounts/passkeys", "picture_blocks": "data/moderation/pictureblocks", "picture_losses": "data/content/pictures", "picture_totals": "data/content/pictures",
	"picture_uses": "data/content/pictures", "pictures": "data/content/pictures", "post_days": "data/lists/sitemaps",
	"post_tags": "data/content/tags", "post_texts": "data/content/posts", "posts": "data/content/posts",
	"push_choices": "data/events/pushes", "pushes": "data/events/pushes",
	"quarantined_votes": "data/content/votes", "quarantines": "data/content/votes", "queue_items": "data/moderation/reports",
	"recovery_codes":  "data/accounts/twofactor",
	"report_outcomes": "data/moderation/reports", "report_reasons": "data/moderation/reports", "reports": "data/moderation/reports",
	"revocations": "data/accounts/sessions",
	"rule_counts": "data/rights/rules", "rule_hits": "data/rights/rules", "rules": "data/rights/rules",
	"saves": "data/lists/saves", "schema_steps": "ops/migrate", "slots": "data/content/communities",
	"slot_moves": "ops/shards/mover", "frozen_slots": "ops/shards/mover",
	"search_comments": "data/lists/search", "search_common": "data/lists/search", "search_communities": "data/lists/search",
	"search_due":    "data/lists/search",
	"search_purges": "data/lists/search",
	"search_people": "data/lists/search", "search_posts": "data/lists/search", "sessions": "data/accounts/sessions",
	"sign_in_networks": "data/accounts/sessions",
	"editions":         "data/lists/editions", "member_editions": "data/lists/editions",
	"site_pages": "data/site", "site_settings": "data/site", "used_nonces": "data/accounts/onetime",
	"reputations":   "data/rights/reputation",
	"subscriptions": "data/content/communities",
	"tag_follows":   "data/content/tags", "tag_keys": "data/content/tags", "thread_mails": "data/events/inbox",
	"timeline": "data/lists/timelines", "tokens": "data/accounts/sessions",
	"totp": "data/accounts/twofactor", "users": "data/accounts", "visits": "data/lists/visits", "vote_deltas": "data/content/votes",
	"votes": "data/content/votes", "watches": "data/events/inbox", "weeks": "data/content/communities",
	"wiki_pages": "data/content/wiki", "wiki_revisions": "data/content/wiki",
}

// everyTable are packages that write all tables by their nature.
var everyTable = map[string]string{
	"data/accounts/deletion": "takes out of every table what an account leaves that is deleted",
	"ops/exchange/importer":  "writes whole communities, many rows a statement",
	"ops/shards/mover":       "copies the rows of a community from shard to shard",
	"ops/backup":             "restores every table, by statements that name it when they are sent",
	"ops/verify":             "repairs what can be computed anew",
	"cmd/plaza":              "fills a site for trials (seed)",
	"cmd/plaza/samplethread": "fills a thread for trials", "bench/search": "fills a site for measuring",
	"bench/votes":    "fills a site for measuring",
	"test/storetest": "is for tests", "test/sitetest": "is for tests", "test/workertest": "is for tests", "test/ledger": "is for tests",
}

// otherWriters are packages that write tables of other packages, with the reason: usually one transaction with their own tables.
var otherWriters = map[string]map[string]string{
	"author_karma": {"data/accounts": copies},
	"bans":         {"data/accounts": copies},
	"comments": {"data/moderation/erase": erases, "data/moderation": decides, "data/moderation/reports": decides,
		"data/rights/rules": "the reply of a rule, with what it hits", "data/accounts": copies, "data/content/votes": counts},
	"communities":       {"data/moderation/reports": "how much waits, from the shards"},
	"devices":           {"data/accounts/sessions": "go over to a session that is renewed"},
	"account_deletions": {"data/accounts/sessions": "whoever logs in again stays"},
	"follows":           {"data/lists/timelines": "whether the posts of a followee are in the timeline"},
	// Each write of author_karma marks its author.
	"karma_changed": {"data/content/votes": counts},
	"inbox": {"data/moderation/erase": erases, "data/accounts": "what the blocked have sent goes",
		"data/moderation/modmail": "a message is notified of with the message"},
	"mentions": {"data/moderation/erase": erases, "data/moderation": "who is mentioned is notified again after an approval",
		"data/moderation/reports": "the same of what a rule removes"},
	"moderator_invitations": {"data/accounts": "whoever is blocked invites nobody"},
	"moderators":            {"data/accounts": copies},
	"conversation_messages": {"data/moderation/erase": erases}, "conversations": {"data/moderation/erase": erases},
	"link_previews": {"data/moderation/erase": erases}, "member_notes": {"data/moderation/erase": erases},
	"post_texts": {"data/moderation/erase": erases}, "reports": {"data/moderation/erase": erases, "data/moderation/legalnotices": "a notice is a report without a member"}, "legal_notices": {"data/moderation/erase": erases},
	"tag_keys": {"data/moderation/erase": erases}, "watches": {"data/moderation/erase": erases},
	"wiki_pages": {"data/moderation/erase": erases}, "wiki_revisions": {"data/moderation/erase": erases},
	"posts": {"data/moderation/erase": erases, "data/moderation": "a decision is one transaction with its entry in the log, and crossposts elsewhere are told",
		"data/moderation/reports": decides, "data/content/flair": decides,
		"data/rights/rules": "the reply of a rule, with what it hits", "data/accounts": copies,
		"data/lists/views": counts, "data/content/links": "how large its picture is"},
	"quarantines":     {"data/accounts": copies, "data/events/inbox": "how far its voters were notified"},
	"moderation_log":  {"data/accounts": copies, "data/moderation/erase": erases},
	"queue_items":     {"data/moderation": decides, "data/moderation/legalnotices": "an objection is looked at, whatever is ignored"},
	"report_outcomes": {"data/events/inbox": "ends with the inbox entry"},
	"schema_steps":    {"ops/setup": "notes in each database which site has it"},
	"rule_hits": {"data/moderation/erase": erases, "data/moderation/reports": "rules that count reports hit when one is made",
		"data/moderation/pictureblocks": "a post with a blocked picture waits as if a rule had hit it"},
	"reputations": {"data/content/votes": counts},
	"timeline":    {"data/accounts": "whoever is not followed any more goes"},
	"users": {"data/accounts/credentials": "what a member logs in with is in the row",
		"data/accounts/signup": "makes the row", "data/accounts/suspensions": "says who may log in", "data/lists/views": counts, "data/lists/timelines": "whether an author is above the threshold, and when a timeline was seen"},
	"votes":       {"data/content/posts": "an author's own vote, with the post", "data/content/comments": "the same with the comment"},
	"revocations": {"data/accounts/credentials": "a new password ends sessions", "data/accounts/suspensions": "a suspension ends sessions"},
	"mail_links":  {"data/accounts/signup": "a claim is a link that nobody mails"},
}

const (
	erases  = "words that nobody may keep"
	copies  = "new names and avatars, in each table that has copies of them"
	decides = "a decision is one transaction with its entry in the log"
	counts  = "counters, added up from rows of their own"
)

// sqlOf calls each with the folder, the name and the string literals of every Go file except tests.
func sqlOf(t *testing.T, each func(folder, name, text string)) {
	t.Helper()
	storetest.GoFiles(t, func(name, _ string, file *ast.File) {
		ast.Inspect(file, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				text, _ := strconv.Unquote(lit.Value) // the parser has accepted it
				each(path.Dir(name), name, text)
			}
			return true
		})
	})
}

var writes = regexp.MustCompile(`\b(?:INSERT(?: OR \w+)? INTO|REPLACE INTO|UPDATE(?: OR \w+)?|DELETE FROM)\s+(\w+)`)

// TestTablesHaveOwners checks that only the owner of a table writes it. Exceptions are listed with the reason, and each must be needed.
func TestTablesHaveOwners(t *testing.T) {
	schema, err := os.ReadFile("../schema.sql")
	require.NoError(t, err)
	tables := map[string]bool{}
	for _, found := range regexp.MustCompile(`CREATE (?:VIRTUAL )?TABLE IF NOT EXISTS (\w+)`).FindAllStringSubmatch(string(schema), -1) {
		if tables[found[1]] = true; !strings.HasSuffix(found[1], "_terms") { // that is a view of an index
			assert.Contains(t, owners, found[1], "whose table is it?")
		}
	}
	written := map[string]map[string]bool{} // by table and folder
	sqlOf(t, func(folder, name, text string) {
		for _, found := range writes.FindAllStringSubmatch(text, -1) {
			table := found[1]
			if !tables[table] {
				continue
			}
			if written[table] == nil {
				written[table] = map[string]bool{}
			}
			written[table][folder] = true
			if owners[table] != folder && everyTable[folder] == "" && otherWriters[table][folder] == "" {
				t.Errorf("%s writes %s, which is a table of %s", name, table, owners[table])
			}
		}
	})
	for table, others := range otherWriters {
		for folder := range others {
			assert.True(t, written[table][folder], "%s does not write %s any more", folder, table)
		}
	}
	for table, owner := range owners {
		assert.True(t, tables[table], "there is no table %s", table)
		_, err := os.Stat(filepath.Join("..", owner))
		assert.NoError(t, err)
	}
}

// TestTriggersAreKnown checks that triggers.sql names for each trigger a Go file that uses it, and that this file names the trigger or
// the table that it writes. If other code also writes this table, the file names the trigger.
func TestTriggersAreKnown(t *testing.T) {
	schema, err := os.ReadFile("../triggers.sql")
	require.NoError(t, err)
	found := regexp.MustCompile(`(?s)(?:-- Used by (\S+\.go)\.\n)?CREATE TRIGGER IF NOT EXISTS (\w+) (.*?)\nEND;`).
		FindAllStringSubmatch(string(schema), -1)
	require.Len(t, found, strings.Count(string(schema), "CREATE TRIGGER"))
	for _, trigger := range found {
		path, name, body := trigger[1], trigger[2], trigger[3]
		if !assert.NotEmpty(t, path, "which file uses the trigger %s?", name) {
			continue
		}
		text, err := os.ReadFile(filepath.Join("..", path))
		require.NoError(t, err, name)
		known := strings.Contains(string(text), name)
		for _, table := range writes.FindAllStringSubmatch(body, -1) {
			known = known || otherWriters[table[1]] == nil && regexp.MustCompile(`\b`+table[1]+`\b`).Match(text)
		}
		assert.True(t, known, "%s does not name the trigger %s", path, name)
	}
}
