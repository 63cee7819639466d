package exports_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza"
	"plaza/data"
	"plaza/data/accounts/exports"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

// table says which rows of a table exports have, if it names a member.
type table struct {
	// by has each column that names a member. Its value is the kind of lines for these rows, or "-" and the reason why there are none.
	by map[string]string
	// omitted has the reasons why lines leave out columns, and for each reason the columns.
	omitted map[string]string
	// set has values that the test's row needs, and needs has SQL that makes other rows first.
	set   map[string]any
	needs string
}

const (
	secret           = "who has it can act as the member"
	copied           = "a copy of what the line has, or made of it"
	machine          = "how the site does its work"
	counted          = "counts of what exports have"
	others           = "what others do and write is theirs; the inbox tells of what concerns the member"
	logged           = "the log has that decision, and exports have the log"
	brief            = "it goes within days, and is made of what exports have"
	revealsReporters = "it would tell on those who report, or how their reports weigh (docs/moderation.md)"
)

var tables = map[string]table{
	"users": {by: map[string]string{"id": "profile"}, omitted: map[string]string{
		secret: "password_hash credentials", copied: "username_key email_key bio_html blocked words",
		machine: "unread revision inbox_size on_read_to renaming repainting karma_turn unclaimed", counted: "week_views views_week",
		"the entries of decisions have it": "suspended_until suspension"}},
	"mail_links":       {by: map[string]string{"user_id": "-" + secret + ", for an hour"}},
	"former_names":     {by: map[string]string{"user_id": "former-name"}},
	"sign_in_networks": {by: map[string]string{"user_id": "network-logged-in-from"}, omitted: map[string]string{"a keyed hash, which says nothing without the key": "network"}},
	"passkeys":         {by: map[string]string{"user_id": "passkey"}, omitted: map[string]string{secret: "id public_key", machine: "sign_count last_use copied_at"}},
	"identities":       {by: map[string]string{"user_id": "account-elsewhere"}, omitted: map[string]string{machine: "id"}},
	"totp":             {by: map[string]string{"user_id": "authenticator-app"}, omitted: map[string]string{secret: "secret"}},
	"recovery_codes": {by: map[string]string{"user_id": "authenticator-app"}, omitted: map[string]string{secret: "hash"},
		needs: "INSERT INTO totp (user_id, secret, created_at) VALUES (:ann, '', 1)"},
	"account_deletions": {by: map[string]string{"user_id": "-who has one is logged out, and logging in ends it"}},
	"revocations":       {by: map[string]string{"subject": "-it says only which cookies are void"}},
	"sessions":          {by: map[string]string{"user_id": "session"}, omitted: map[string]string{machine: "id issued_at"}},
	"tokens":            {by: map[string]string{"user_id": "token"}, omitted: map[string]string{secret: "id hash"}},
	"subscriptions":     {by: map[string]string{"user_id": "subscriptions"}},
	"follows": {by: map[string]string{"follower_id": "follows", "followee_id": "-" + others + ": the profile has their number, and a page their names"},
		omitted: map[string]string{machine: "on_read backfill"}},
	"tag_follows":     {by: map[string]string{"user_id": "tag"}},
	"timeline":        {by: map[string]string{"user_id": "-posts of others, by what the member follows", "author_id": "-" + copied}},
	"member_editions": {by: map[string]string{"user_id": "edition"}, set: map[string]any{"posts": "[1]"}},
	"moderators":      {by: map[string]string{"user_id": "moderates"}, omitted: map[string]string{copied: "username"}},
	"moderator_invitations": {by: map[string]string{"user_id": "invited", "inviter_id": "invited-moderator"},
		needs: "INSERT OR IGNORE INTO moderators (community_id, user_id, username, created_at) VALUES (4194304, :ann, 'ann', 1), (8388608, :ann, 'ann', 1)"},
	"wiki_revisions": {by: map[string]string{"author_id": "page-revisions"}, set: map[string]any{"restored": nil}},
	"invites":        {by: map[string]string{"user_id": "invitation"}, omitted: map[string]string{"who has it can sign up": "code"}},
	"branch_decisions": {by: map[string]string{"user_id": "-it goes within minutes, when there is an entry of the log for each member",
		"actor_id": "-the same"}},
	"branch_members": {by: map[string]string{"user_id": "-it goes within minutes, when the log has an entry"}},
	"mails":          {by: map[string]string{"user_id": "-" + brief}},
	"inbox": {by: map[string]string{"user_id": "inbox", "author_id": "-" + others, "about_id": "-" + others}, omitted: map[string]string{
		others: "slug title author_id excerpt", machine: "id read_to", "an event says it better": "kind"}},
	"conversations": {by: map[string]string{"user_id": "conversations", "taken_by": "-exports have the messages that were written as a moderator",
		"decider_id": "-" + logged}, omitted: map[string]string{"which moderator it was is not told": "taken_by decider_id"}},
	"conversation_messages": {by: map[string]string{"author_id": "messages"}},
	"watches":               {by: map[string]string{"user_id": "watches"}, omitted: map[string]string{machine: "quiet_from quiet_to"}, set: map[string]any{"quiet_to": nil}},
	"mail_choices":          {by: map[string]string{"user_id": "mail-choices"}, omitted: map[string]string{machine: "digest_to"}},
	"thread_mails":          {by: map[string]string{"user_id": "-" + brief}},
	"devices":               {by: map[string]string{"user_id": "device"}, omitted: map[string]string{secret: "endpoint public_key secret", machine: "id session_id"}},
	"push_choices":          {by: map[string]string{"user_id": "push-choices"}},
	"pictures": {by: map[string]string{"user_id": "pictures"}, omitted: map[string]string{copied: "small hash", machine: "state check_at taken"},
		set: map[string]any{"sum": strings.Repeat("f0", 32)}},
	"picture_totals": {by: map[string]string{"user_id": "-" + counted}},
	"picture_blocks": {by: map[string]string{"actor_id": "-" + logged}},
	"legal_notices":  {by: map[string]string{"target_id": "-" + revealsReporters}},
	"communities": {by: map[string]string{"creator_id": "founded"}, omitted: map[string]string{copied: "id name_key sidebar_html words about_words",
		"it is the community's": "description sidebar rules colour icon banner comment_pictures members growth revision waiting"}},
	"blocks":           {by: map[string]string{"blocker_id": "blocks", "blocked_id": "-who blocks is not told"}},
	"idempotency_keys": {by: map[string]string{"author_id": "-" + brief}},
	"names":            {by: map[string]string{"user_id": "-" + copied}},
	"avatars":          {by: map[string]string{"user_id": "-" + copied}},
	"moderation_log": {by: map[string]string{"author_id": "decisions", "actor_id": "decided"}, omitted: map[string]string{
		copied: "actor_name", "who has decided, and who has written it, are other members": "actor_id author_id", machine: "clear_from",
		"the page of the decision tells it": "found"}},
	"moderation_counts": {by: map[string]string{"actor_id": "-" + counted}},
	"bans":              {by: map[string]string{"user_id": "bans"}, omitted: map[string]string{copied: "username"}},
	"posts": {by: map[string]string{"author_id": "drafts"}, set: map[string]any{"status": "removed"}, omitted: map[string]string{
		copied: "community_id author_name domain excerpt link_key crosspost author_avatar image_width image_height base_ups base_downs score hot controversy " +
			"comments_step comment_times commented_at active age week_views views_week words"}},
	"member_flairs":  {by: map[string]string{"user_id": "flairs"}, set: map[string]any{"flair_id": nil}},
	"picture_uses":   {by: map[string]string{"subject_id": "-the profile and posts have their pictures"}},
	"deleted_drafts": {by: map[string]string{"author_id": "-nothing but the id is left, for a day"}},
	"outbox":         {by: map[string]string{"subject_id": "-" + brief}},
	"mentions":       {by: map[string]string{"name_key": "-" + others}},
	"visits":         {by: map[string]string{"user_id": "visits"}, omitted: map[string]string{"the visit before": "since"}},
	"reputations":    {by: map[string]string{"user_id": "-" + counted}},
	"comments": {by: map[string]string{"author_id": "comments"}, set: map[string]any{"author_name": "ann", "status": "published"}, omitted: map[string]string{
		copied: "path depth op body_html base_ups base_downs score best controversy qa replies descendants author_avatar words",
		"what has another is no line, or one of another kind": "author_name status"}},
	"votes": {by: map[string]string{"user_id": "votes"}, set: map[string]any{"automatic": 0}, omitted: map[string]string{
		"whether it counts is not told (docs/moderation.md)": "status", machine: "asked_at", "the post or comment has it": "automatic"}},
	"vote_deltas": {by: map[string]string{"user_id": "-" + brief}},
	"vote_origins": {by: map[string]string{"user_id": "votes"}, set: map[string]any{"part": 40000, "target_id": 12582912, "created_at": 43200000 * 40000},
		omitted: map[string]string{copied: "value"},
		needs:   "INSERT INTO votes (target_id, user_id, value, updated_at) VALUES (12582912, :ann, 1, 1728000000000)"},
	"quarantines": {by: map[string]string{"decided_by": "decided-quarantines"}, omitted: map[string]string{
		"it is about the votes of others": "direction evidence votes created_at", copied: "decided_name", machine: "notified_to"}},
	"quarantined_votes": {by: map[string]string{"user_id": "-the inbox tells what the member may know"}},
	"reports":           {by: map[string]string{"reporter_id": "reports", "target_id": "-" + revealsReporters}, omitted: map[string]string{revealsReporters: "weight", copied: "community_id"}},
	"queue_items":       {by: map[string]string{"decided_by": "-" + logged, "target_id": "-" + revealsReporters}},
	"report_reasons":    {by: map[string]string{"target_id": "-" + revealsReporters}},
	"report_outcomes":   {by: map[string]string{"decided_by": "-" + logged, "target_id": "-" + revealsReporters}},
	"rules":             {by: map[string]string{"changed_by": "-" + logged}},
	"saves":             {by: map[string]string{"user_id": "saved"}},
	"hides":             {by: map[string]string{"user_id": "hidden"}},
	"member_notes":      {by: map[string]string{"author_id": "member-notes", "user_id": "-moderators write them for each other (docs/moderation.md)"}},
	"author_karma":      {by: map[string]string{"author_id": "-" + counted}},
	"karma_changed":     {by: map[string]string{"author_id": "-" + machine}},
	"contact_messages":  {by: map[string]string{"user_id": "contact"}, omitted: map[string]string{copied: "name member"}},
}

// nobody has the reasons why rows name no member, and for each reason the tables.
var nobody = map[string]string{
	"they bound or count what happens, without names": "used_nonces limits weeks community_stats post_days transparency metrics rule_counts",
	"how the site does its work": "slots slot_moves frozen_slots dead_letters pushes picture_losses " +
		"search_due search_purges search_common health schema_steps bulk_writes count_deltas",
	"posts and comments that exports have, or their pages": "post_texts post_tags tag_keys comment_sources link_previews rule_hits",
	"the community's, or the site's":                       "wiki_pages flairs flair_sets site_settings site_pages editions",
}

// named matches the names of columns that may name a member. things are columns among them that name something else, or that copy the
// name of a member whose id is in the same row.
var (
	named  = regexp.MustCompile(`^(.*_)?(id|by|user|member|author|actor|name|key|subject|target|reporter|owner)$`)
	things = strings.Fields("id name username author_name actor_name decided_name community_name site_name key community_id post_id parent_id " +
		"comment_id page_id conversation_id decision_id session_id device_id flair_id rule_id quarantine_id key_id message_id invite_id result_id " +
		"first_id last_id undone_by used_by slot_moves.target link_key mails.key public_key users.username_key users.email_key former_names.name_key " +
		"communities.name_key author_karma.name_key account_deletions.name_key saves.target_id votes.target_id vote_origins.target_id vote_deltas.target_id " +
		"conversations.subject identities.subject mentions.subject_id quarantines.target_id rule_hits.target_id picture_blocks.target_id moderation_log.target_id inbox.subject_id contact_messages.member")
)

// kit makes rows, and exports the data of ann.
type kit struct {
	*storetest.Stores
	*testing.T
	store   *exports.Store
	ann     data.Actor
	columns map[string][]column
	n       int64
}

type column struct {
	name, kind string
	required   bool
	choices    []string // the values that a CHECK allows
}

// openKit opens one database: the rows that it makes are wherever their tables are.
func openKit(t *testing.T) *kit {
	sql := stacktest.OpenSchema(t)
	s := storetest.New(t, data.NewDB(sql), sql, nil)
	k := &kit{Stores: s, T: t, store: &exports.Store{DB: s.DB}, ann: s.Member("ann"), columns: map[string][]column{}, n: 1_790_000_000_000}
	for _, row := range s.Rows("SELECT name FROM sqlite_schema WHERE type = 'trigger'") {
		s.Exec("DROP TRIGGER IF EXISTS " + row[0].(string))
	}
	for _, m := range regexp.MustCompile(`(?ms)^CREATE TABLE IF NOT EXISTS (\w+) \(\n(.*?)^\) STRICT`).FindAllStringSubmatch(plaza.Schema, -1) {
		for _, row := range s.Rows("SELECT name, type, \"notnull\" FROM pragma_table_info(?1)", m[1]) {
			c := column{name: row[0].(string), kind: row[1].(string), required: row[2].(int64) == 1}
			if in := regexp.MustCompile(`\b` + c.name + ` (?:IN \(([^)]*)\)|BETWEEN (\d) AND)`).FindStringSubmatch(m[2]); in != nil {
				c.choices = strings.Split(strings.ReplaceAll(in[1]+in[2], "'", ""), ", ")
			}
			k.columns[m[1]] = append(k.columns[m[1]], c)
		}
	}
	s.Exec("DELETE FROM communities") // members' profiles, if there are any
	for i, id := range []int64{4194304, 8388608} {
		s.Exec("INSERT INTO users (id, username, username_key, password_hash, created_at) VALUES (?1, ?2, ?2, '', 1)", id, fmt.Sprint("other", i))
		s.Exec("INSERT INTO communities (id, name, name_key, title, colour, created_at) VALUES (?1, ?2, ?2, '', '', 1)", id, fmt.Sprint("place", i))
		s.Exec("INSERT INTO wiki_pages (id, community_id, slug, title, revision, text, html) VALUES (?1, ?1, ?2, '', 1, '', '')", id, fmt.Sprint("page", i))
		s.Exec("INSERT INTO conversations (id, community_id, user_id, subject, about, status, said_at) VALUES (?1, ?1, ?1, ?2, '', 'open', 1)", id,
			fmt.Sprint("subject", i))
		s.Exec("INSERT INTO flairs (id, community_id, place, text, colour, restricted) VALUES (?1, 4194304, 1, ?2, ?2, 0)", id, fmt.Sprint("flair", i))
	}
	return k
}

// pair has the ids of two members, two communities, two pages, two conversations and two flairs that the kit makes.
var pair = []any{int64(4194304), int64(8388608)}

// values returns possible values of a column. A new row has the first.
func (k *kit) values(name string, c column, t table) (list []any) {
	k.n += 7
	if first, is := t.set[c.name]; is {
		list = append(list, first)
	}
	if _, person := t.by[c.name]; person || slices.Contains([]string{"community_id", "page_id", "conversation_id", "flair_id"}, c.name) {
		return append(list, pair...)
	}
	for _, choice := range c.choices {
		list = append(list, choice)
	}
	switch {
	case len(c.choices) > 0:
	case c.kind == "TEXT":
		list = append(list, fmt.Sprintf("%x", name+"."+c.name), "abcdefabcdef")
	default:
		list = append(list, k.n, 1, 0)
	}
	if !c.required && c.name != "id" {
		list = append(list, nil)
	}
	return list
}

// export returns the lines of a kind, or all lines if there is no kind.
func (k *kit) export(kind string) string {
	r, files := k.DB.Read(), []*exports.File{}
	for _, one := range exports.Kinds() {
		if kind == "" || kind == one.Name {
			files = append(files, k.store.FindFile(r, k.ann, one, exports.Cursor{}, exports.Cursor{}.End()))
		}
	}
	if kind == "" || len(files) == 0 {
		files = append(files, k.store.FindAccount(r, k.ann))
	}
	require.NoError(k.T, r.Run(storetest.Ctx))
	text := ""
	for _, f := range files {
		text += string(f.Lines)
	}
	lines := slices.DeleteFunc(strings.Split(text, "\n"), func(line string) bool {
		return kind != "" && !strings.HasPrefix(line, `{"kind":"`+kind+`"`)
	})
	return strings.Join(lines, "\n")
}

// TestEveryColumnIsExported makes a row of each table for each column that can name a member, and changes its columns one by one. Each
// change changes the export, or a reason says why not.
func TestEveryColumnIsExported(t *testing.T) {
	k := openKit(t)
	for reason, names := range nobody {
		for name := range strings.FieldsSeq(names) {
			require.NotContains(t, tables, name, reason)
			require.Contains(t, k.columns, name)
			tables[name] = table{}
		}
	}
	require.Equal(t, slices.Sorted(maps.Keys(k.columns)), slices.Sorted(maps.Keys(tables)), "do exports have this table? See kinds.go")
	for name, columns := range k.columns {
		for _, c := range columns {
			_, is := tables[name].by[c.name]
			assert.True(t, is || !named.MatchString(c.name) || slices.Contains(things, c.name) || slices.Contains(things, name+"."+c.name),
				"does %s.%s name a member, and have exports such rows?", name, c.name)
		}
	}
	empty := k.export("")
	for _, name := range slices.Sorted(maps.Keys(tables)) {
		for by, kind := range tables[name].by {
			if reason, not := strings.CutPrefix(kind, "-"); not {
				k.insert(name, by)
				require.Equal(t, empty, k.export(""), "exports have rows of %s by %s, though %s", name, by, reason)
				k.Exec("DELETE FROM "+name+" WHERE "+by+" = ?1", k.me(by))
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(tables)) {
		for by, kind := range tables[name].by {
			if !strings.HasPrefix(kind, "-") {
				t.Run(name+" by "+by, func(t *testing.T) { k.check(t, name, by, kind) })
			}
		}
	}
}

// me returns the value that names ann in a column.
func (k *kit) me(by string) any {
	if strings.HasSuffix(by, "name_key") {
		return "ann"
	}
	return int64(k.ann.UserID)
}

// insert makes a row that names ann in a column. It returns the columns, and the other values that each can hold.
func (k *kit) insert(name, by string) (names []string, others map[string][]any) {
	var places []string
	var row []any
	others = map[string][]any{}
	for _, c := range k.columns[name] {
		list := k.values(name, c, tables[name])
		if c.name == by {
			list = []any{k.me(by)}
		}
		names, row, places = append(names, c.name), append(row, list[0]), append(places, fmt.Sprint("?", len(row)+1))
		others[c.name] = list[1:]
	}
	if name != "users" {
		k.Exec("DELETE FROM "+name+" WHERE "+by+" = ?1", k.me(by))
		k.Exec("INSERT INTO "+name+" ("+strings.Join(names, ", ")+") VALUES ("+strings.Join(places, ", ")+")", row...)
	}
	return names, others
}

func (k *kit) check(t *testing.T, name, by, kind string) {
	spec, me := tables[name], k.me(by)
	if spec.needs != "" {
		k.Exec(strings.ReplaceAll(spec.needs, ":ann", k.ann.UserID.String()))
	}
	empty := k.export(kind)
	names, others := k.insert(name, by)
	if name != "users" {
		defer k.Exec("DELETE FROM "+name+" WHERE "+by+" = ?1", me)
	}
	before := k.export(kind)
	require.True(t, name == "users" || empty != before, "exports don't have such a row")
	omitted := strings.Fields(strings.Join(slices.Collect(maps.Values(spec.omitted)), " "))
	for _, c := range slices.DeleteFunc(names, func(c string) bool { return c == by }) {
		shown, isOmitted := false, slices.Contains(omitted, c)
		old := k.One("SELECT "+c+" FROM "+name+" WHERE "+by+" = ?1", me)
		for i, value := range others[c] {
			if !shown && value != old && (i == 0 || !isOmitted) {
				k.Exec("UPDATE "+name+" SET "+c+" = ?1 WHERE "+by+" = ?2", value, me)
				after := k.export(kind)
				shown = after != before && strings.Count(after, `{"kind":`) == strings.Count(before, `{"kind":`)
			}
		}
		k.Exec("UPDATE "+name+" SET "+c+" = ?1 WHERE "+by+" = ?2", old, me)
		assert.Equal(t, !isOmitted, shown, "%s.%s: have lines of kind %s this column? Or why not?", name, c, kind)
	}
}
