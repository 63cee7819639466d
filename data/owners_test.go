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

	"plaza/data/storetest"
)

// owners names the package to which each table of schema.sql belongs. It writes the table, or triggers do.
var owners = map[string]string{
	"author_karma": "data/votes", "avatars": "data/people", "ballots": "data/votes", "bans": "data/bans", "blocks": "data/people",
	"branch_decisions": "data/people", "branch_members": "data/people", "bulk_writes": "importer", "comment_sources": "importer",
	"comments": "data/threads", "communities": "data/communities", "community_stats": "data/communities", "contact_messages": "data/site",
	"conversation_messages": "data/modmail", "conversations": "data/modmail", "count_deltas": "data/votes", "dead_letters": "data/deadletters",
	"deleted_drafts": "data/posts", "departures": "data/departures", "devices": "data/pushes", "flair_sets": "data/flair", "flairs": "data/flair",
	"follows": "data/people", "former_names": "data/people", "health": "data/health", "hides": "data/saves", "identities": "data/identities",
	"inbox": "data/inbox", "invites": "data/people", "karma_changed": "data/people", "limits": "data/limits", "link_previews": "data/links",
	"made": "data", "mail_choices": "data/inbox", "mail_links": "data/people", "mails": "data/mails", "member_notes": "data/standing",
	"mentions": "data/inbox", "moderation_counts": "data/modlog", "moderation_log": "data/modlog", "moderator_invitations": "data/communities",
	"moderators": "data/communities", "names": "data/people", "outbox": "data/outbox", "passkeys": "data/passkeys", "post_days": "data/sitemaps",
	"post_tags": "data/tags", "post_texts": "data/posts", "posts": "data/posts", "push_choices": "data/pushes", "pushes": "data/pushes",
	"quarantined_votes": "data/votes", "quarantines": "data/votes", "queue_items": "data/reports", "recovery_codes": "data/factors",
	"report_outcomes": "data/reports", "report_reasons": "data/reports", "reports": "data/reports", "revocations": "data/people",
	"rule_counts": "data/rules", "rule_hits": "data/rules", "rules": "data/rules", "saves": "data/saves", "schema_steps": "migrate",
	"search_comments": "data/search", "search_common": "data/search", "search_communities": "data/search", "search_due": "data/search",
	"search_people": "data/search", "search_posts": "data/search", "sessions": "data/people", "sign_in_networks": "data/people",
	"site_pages": "data/site", "site_settings": "data/site", "spent": "data/spent", "standings": "data/standing", "subscriptions": "data/communities",
	"tag_follows": "data/tags", "tag_keys": "data/tags", "thread_mails": "data/inbox", "timeline": "data/timelines", "tokens": "data/people",
	"totp": "data/factors", "users": "data/people", "visits": "data/visits", "vote_deltas": "data/votes", "voter_ages": "data/votes",
	"votes": "data/votes", "watches": "data/inbox", "weeks": "data/communities",
}

// everyTable are packages that write other packages' tables by their nature.
var everyTable = map[string]string{
	"data/departures": "takes out of every table what an account leaves that is deleted",
	"importer":        "writes whole communities, many rows a statement",
	"backup":          "restores every table, by statements that name it when they are sent",
	"verify":          "repairs what can be computed anew",
	"cmd/plaza":       "fills a site for trials (seed)",
	"samplethread":    "fills a thread for trials", "bench/search": "fills a site for measuring", "bench/votes": "fills a site for measuring",
	"data/storetest": "is for tests", "verify/sitetest": "is for tests", "worker/workertest": "is for tests",
}

// otherWriters are packages that write tables of others, and why: mostly because it has to be in one transaction with what they write.
var otherWriters = map[string]map[string]string{
	"author_karma":          {"data/people": copies},
	"bans":                  {"data/people": copies},
	"comments":              {"data/moderation": decides, "data/reports": decides, "data/rules": "the reply of a rule, with what it hits", "data/people": copies, "data/votes": counts},
	"communities":           {"data/reports": "how much waits, from the shards"},
	"devices":               {"data/people": "go over to a session that is renewed"},
	"departures":            {"data/people": "whoever logs in again stays"},
	"follows":               {"data/timelines": "whether the posts of a followee are in the timeline"},
	"inbox":                 {"data/people": "what the blocked have sent goes", "data/modmail": "a message is notified of with the message"},
	"mentions":              {"data/moderation": "who is mentioned is notified again after an approval", "data/reports": "the same of what a rule removes"},
	"moderation_log":        {"data/bans": decides, "data/moderation": decides, "data/reports": decides, "data/rules": decides, "data/flair": decides, "data/people": copies},
	"moderator_invitations": {"data/people": "whoever is blocked invites nobody"},
	"moderators":            {"data/people": copies},
	"posts": {"data/moderation": "a decision is one transaction with its entry in the log, and crossposts elsewhere are told", "data/reports": decides, "data/flair": decides,
		"data/rules": "the reply of a rule, with what it hits", "data/people": copies, "data/votes": counts,
		"data/views": counts, "data/links": "how large its picture is"},
	"quarantines":     {"data/people": copies},
	"queue_items":     {"data/moderation": decides},
	"report_outcomes": {"data/inbox": "ends with the notice"},
	"rule_hits":       {"data/reports": "rules that count reports hit when one is made"},
	"standings":       {"data/votes": counts},
	"timeline":        {"data/people": "whoever is not followed any more goes"},
	"users":           {"data/views": counts, "data/timelines": "whether an author is loud, and when a timeline was seen"},
	"votes":           {"data/posts": "an author's own vote, with the post", "data/threads": "the same with the comment"},
}

const (
	copies  = "new names and avatars, in each table that has copies of them"
	decides = "a decision is one transaction with its entry in the log"
	counts  = "counters, added up from rows of their own"
)

// sqlOf calls each with the folder, the name and the string literals of every Go file that is no test.
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

// TestTablesHaveOwners holds that a table is written by the package that owns it. Others are listed with the reason, and only those that are needed.
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

// TestTriggersAreKnown holds that schema.sql says of each trigger which Go file uses it, and that this file names the trigger or the table
// that it writes. What writes a table that others write as well is named itself.
func TestTriggersAreKnown(t *testing.T) {
	schema, err := os.ReadFile("../schema.sql")
	require.NoError(t, err)
	found := regexp.MustCompile(`(?s)(?:-- Used by (\S+\.go)\.\n)?CREATE TRIGGER IF NOT EXISTS (\w+) (.*?)\nEND;`).FindAllStringSubmatch(string(schema), -1)
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
