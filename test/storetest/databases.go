package storetest

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/wire/hrana"
	"plaza/test/stacktest"
)

// Databases are those of a site: its directory, and the thread shards where posts are. With one shard they are the same.
type Databases struct {
	t         testing.TB
	Directory *hrana.Client
	Shards    []*hrana.Client
	Sent      sync.Map // the messages that instances on these databases have sent, for kits of sites
}

// OpenDatabases makes the databases of a site: one, or with PLAZA_SHARDS=n a directory and n shards.
func OpenDatabases(t testing.TB) *Databases {
	t.Helper()
	directory := stacktest.OpenSchema(t)
	shards := []*hrana.Client{directory}
	if n := stacktest.Shards(t); n > 1 {
		shards = nil
		for range n {
			shards = append(shards, stacktest.OpenSchema(t))
		}
	}
	return DatabasesOf(t, directory, shards...)
}

// DatabasesOf are databases of the test's own; without shards, the directory is the only one.
func DatabasesOf(t testing.TB, directory *hrana.Client, shards ...*hrana.Client) *Databases {
	if len(shards) == 0 {
		shards = []*hrana.Client{directory}
	}
	return &Databases{t: t, Directory: directory, Shards: shards}
}

// Open is what stores use.
func (d *Databases) Open() *data.DB { return data.NewDB(d.Directory, d.Shards...) }

// All are the databases, each once.
func (d *Databases) All() []*hrana.Client {
	if slices.Contains(d.Shards, d.Directory) {
		return d.Shards
	}
	return append([]*hrana.Client{d.Directory}, d.Shards...)
}

// At is the shard that holds what an id names.
func (d *Databases) At(id data.ID) *hrana.Client {
	d.t.Helper()
	return d.Shards[d.Number(id)]
}

// Number is the number of the shard that holds what an id names.
func (d *Databases) Number(id data.ID) int {
	d.t.Helper()
	slots := data.NewSlotMap(len(d.Shards))
	for _, row := range d.rowsOf([]*hrana.Client{d.Directory}, data.SlotRows) {
		slots.Put(int(row[0].(int64)), int(row[1].(int64)))
	}
	shard, ok := slots.Of(id.Slot())
	require.True(d.t, ok, "the slot of %s is on no shard", id)
	return shard
}

// Home is the shard of a community.
func (d *Databases) Home(community string) *hrana.Client {
	d.t.Helper()
	return d.At(data.ID(d.One("SELECT id FROM communities WHERE name_key = ?1", strings.ToLower(community)).(int64)))
}

var (
	tableName = regexp.MustCompile(`(?i)\b(?:FROM|JOIN|UPDATE|INTO)\s+(\w+)`)

	inDirectory = []string{"users", "sign_in_networks", "limits", "subscriptions", "follows", "tag_follows", "timeline", "member_editions",
		"former_names",
		"moderators", "moderator_invitations", "invites", "branch_decisions", "branch_members", "dead_letters", "communities", "mails",
		"mail_links",
		"passkeys", "identities", "totp", "recovery_codes", "used_nonces", "inbox", "watches", "mail_choices", "thread_mails", "sessions",
		"account_deletions",
		"slots", "slot_moves", "pictures", "picture_totals", "picture_blocks", "legal_notices", "wiki_pages", "wiki_revisions"}
	onShards = []string{"posts", "post_texts", "deleted_drafts", "link_previews", "outbox", "mentions", "visits", "community_stats",
		"post_days", "comments", "votes", "vote_deltas", "vote_origins",
		"quarantines", "quarantined_votes", "saves", "hides", "bans", "count_deltas", "comment_sources", "search_due",
		"author_karma", "karma_changed", "reputations", "member_notes", "flairs", "flair_sets", "member_flairs", "tag_keys", "post_tags",
		"search_posts", "search_comments", "search_common", "search_purges", "search_posts_terms", "search_comments_terms", "post_words",
		"comment_words"}
)

// places are the databases whose rows a statement is about: all shards when it names a table of theirs (communities have
// copies there), else the directory when it names one of its own. Tables that every database has are in all of them.
func (d *Databases) places(sql string) []*hrana.Client {
	places := d.All()
	for _, m := range tableName.FindAllStringSubmatch(sql, -1) {
		if slices.Contains(onShards, m[1]) {
			return d.Shards
		}
		if slices.Contains(inDirectory, m[1]) {
			places = []*hrana.Client{d.Directory}
		}
	}
	return places
}

// Rows are those that a query finds, in all databases that it is about.
func (d *Databases) Rows(sql string, args ...any) [][]any {
	d.t.Helper()
	return d.rowsOf(d.places(sql), sql, args...)
}

// RowsOfAll are those that a query finds, in every database.
func (d *Databases) RowsOfAll(sql string, args ...any) [][]any {
	d.t.Helper()
	return d.rowsOf(d.All(), sql, args...)
}

func (d *Databases) rowsOf(places []*hrana.Client, sql string, args ...any) (rows [][]any) {
	d.t.Helper()
	for _, c := range places {
		results, err := c.Query(context.Background(), StmtOf(sql, args...))
		require.NoError(d.t, err)
		rows = append(rows, results[0].Rows()...)
	}
	return rows
}

// One is the single value of a query. Integers of several databases, such as counts, are added up; NULLs, such as the sum of no rows,
// are left out.
func (d *Databases) One(sql string, args ...any) any {
	d.t.Helper()
	rows := d.Rows(sql, args...)
	require.NotEmpty(d.t, rows, sql)
	if len(rows) == 1 {
		return rows[0][0]
	}
	require.LessOrEqual(d.t, len(rows), len(d.places(sql)), "more than a row of one database: %s", sql)
	rows = slices.DeleteFunc(rows, func(row []any) bool { return row[0] == nil })
	if len(rows) == 1 {
		return rows[0][0]
	}
	sum := int64(0)
	for _, row := range rows {
		n, ok := row[0].(int64)
		require.True(d.t, ok, "several databases have a row, which is not a number to add: %s", sql)
		sum += n
	}
	return sum
}

var (
	inserts    = regexp.MustCompile(`(?is)^\s*(?:WITH .*)?INSERT\s+INTO\s+(\w+)`)
	readsTable = regexp.MustCompile(`(?i)\b(?:FROM|JOIN)\s+(\w+)`)
)

// Exec runs a statement in all databases that it is about. What is inserted out of nothing goes to one: to the directory, or
// to the first shard, whose ids are those that a test writes as small numbers. ExecAt is for another shard.
func (d *Databases) Exec(sql string, args ...any) {
	d.t.Helper()
	places := d.places(sql)
	if m := inserts.FindStringSubmatch(sql); m != nil && len(places) > 1 && !d.readsShards(sql) {
		places = []*hrana.Client{d.Directory}
		if slices.Contains(onShards, m[1]) {
			places = d.Shards[:1]
		}
	}
	for _, c := range places {
		d.execOn(c, sql, args...)
	}
}

func (d *Databases) readsShards(sql string) bool {
	return slices.ContainsFunc(readsTable.FindAllStringSubmatch(sql, -1), func(m []string) bool { return slices.Contains(onShards, m[1]) })
}

// ExecAt runs a statement on the shard that holds what an id names.
func (d *Databases) ExecAt(id data.ID, sql string, args ...any) {
	d.t.Helper()
	d.execOn(d.At(id), sql, args...)
}

func (d *Databases) execOn(c *hrana.Client, sql string, args ...any) {
	d.t.Helper()
	_, err := c.Tx(context.Background(), StmtOf(sql, args...))
	require.NoError(d.t, err)
}
