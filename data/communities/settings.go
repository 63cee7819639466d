package communities

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"plaza/data"
	"plaza/data/hrana"
)

// CommunitySettings are what a community's moderators can change.
type Settings struct {
	Title       string
	Description string
	Sidebar     string // Markdown as typed
	Colour      string // Hex of one in Palette
	Rules       []Rule
	// Revision is the state that the settings were made from; 0 is that of a community
	// whose settings were never changed.
	Revision int64
}

// UpdateCommunity is what the settings' form sends. SidebarHTML is made from Sidebar by
// the caller, who has the Markdown.
type Update struct {
	Settings
	SidebarHTML string
	// Force writes whatever Revision is there, for programs that don't know it.
	Force bool
}

// RuleField is the name of the field for the title or text ("title", "text") of the
// n-th rule, which starts with 1.
func RuleField(n int, part string) string { return fmt.Sprintf("rule-%d-%s", n, part) }

// Validate tidies the fields and checks them in the order of the form. Rules without
// any word are left out, but only when all is well: errors name fields as they came.
func (u *Update) Validate() error {
	u.Title, u.Description = data.Line(u.Title), data.Plain(u.Description)
	if data.Blank(u.Sidebar) {
		u.Sidebar = ""
	}
	if len(u.Rules) > RulesMax {
		return data.Mistake(RuleField(RulesMax, "title"), "A community has at most 15 rules.")
	}
	mistakes := []error{
		data.MistakeIf(u.Title == "", "title", "A community needs a title."),
		validateAbout(u.Title, u.Description),
		data.MistakeIf(utf8.RuneCountInString(u.Sidebar) > SidebarMax, "sidebar", "A sidebar has at most 10,000 characters."),
		data.MistakeIf(paletteIndex(u.Colour) < 0, "colour", "Please choose one of the colours."),
	}
	var rules []Rule
	for i, r := range u.Rules {
		r = Rule{data.Line(r.Title), data.Plain(r.Text)}
		if r == (Rule{}) {
			continue
		}
		mistakes = append(mistakes,
			data.MistakeIf(r.Title == "", RuleField(i+1, "title"), "A rule needs a title."),
			data.MistakeIf(utf8.RuneCountInString(r.Title) > RuleTitleMax, RuleField(i+1, "title"), "A rule's title has at most 100 characters."),
			data.MistakeIf(utf8.RuneCountInString(r.Text) > RuleTextMax, RuleField(i+1, "text"), "A rule's text has at most 500 characters."))
		rules = append(rules, r)
	}
	if err := data.AllMistakes(mistakes...); err != nil {
		return err
	}
	u.Rules = rules
	return nil
}

// Unique index on name_key.
const communitySettings = `SELECT c.title, c.description, c.sidebar, c.colour, c.rules, c.revision FROM communities c WHERE c.name_key = ?1`

// FindSettings reads a community's settings along with a page.
func (s *Store) FindSettings(r *data.Read, name string) *Settings {
	set := &Settings{}
	r.OldAdd(s.DB.OldDirectory(), data.OldStmt(communitySettings, strings.ToLower(name)), func(res hrana.Result) error {
		return data.Each(res, func(row *data.Row) {
			set.Title, set.Description, set.Sidebar, set.Colour = row.Text(), row.Text(), row.Text(), row.Text()
			if err := json.Unmarshal([]byte(row.Text()), &set.Rules); err != nil && row.Err == nil {
				row.Err = err
			}
			set.Revision = row.Int()
		})
	})
	return set
}

const (
	// Unique index on name_key, primary keys, and the end of communities_revision. ?5 is
	// of moderates.
	updateCommunity = `UPDATE communities SET title = ?6, description = ?7, sidebar = ?8, sidebar_html = ?9, colour = ?10, rules = ?11,
  revision = coalesce((SELECT r.revision FROM communities r WHERE r.revision IS NOT NULL ORDER BY r.revision DESC LIMIT 1), 0) + 1
WHERE name_key = ?4 AND coalesce(revision, 0) = coalesce(?12, revision, 0) AND ` + Moderates + ` AND ` + data.OldLiveSession
	updatedCommunity = `SELECT c.id, c.name, c.creator_id, c.created_at, c.revision,
  c.title = ?2 AND c.description = ?3 AND c.sidebar = ?4 AND c.colour = ?5 AND c.rules = ?6 FROM communities c WHERE c.name_key = ?1`

	// The shard's copy. Of two changes the later one stays, whichever comes first, and a
	// copy that founding the community did not reach is made.
	copyCommunity = `INSERT INTO communities (id, name, name_key, title, description, sidebar, sidebar_html, colour, rules, creator_id, created_at, revision)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
ON CONFLICT (id) DO UPDATE SET title = excluded.title, description = excluded.description, sidebar = excluded.sidebar,
  sidebar_html = excluded.sidebar_html, colour = excluded.colour, rules = excluded.rules, revision = excluded.revision
WHERE coalesce(revision, 0) < excluded.revision`
)

// UpdateCommunity changes a community's settings. It gives the revision that is there
// now, also with Conflict, which says that somebody else has changed the settings since
// u.Revision. Invalid, NotFound, Forbidden (no moderator) and Unauthenticated.
func (s *Store) Update(ctx context.Context, a data.Actor, name string, u Update) (revision int64, err error) {
	defer s.warm.Clear()
	if err := u.Validate(); err != nil {
		return u.Revision, err
	}
	rules, err := json.Marshal(append([]Rule{}, u.Rules...))
	if err != nil {
		return u.Revision, err
	}
	key := strings.ToLower(name)
	var from any
	if !u.Force {
		from = u.Revision
	}
	results, err := data.Tx(ctx, s.DB.OldDirectory(),
		data.OldStmt(updateCommunity, a.OldArgs(key, false, u.Title, u.Description, u.Sidebar, u.SidebarHTML, u.Colour, string(rules), from)...),
		data.OldStmt(MayModerate, a.OldArgs(key, false)...), data.OldStmt(updatedCommunity, key, u.Title, u.Description, u.Sidebar, u.Colour, string(rules)))
	if err != nil {
		return u.Revision, err
	}
	if len(results[2].Rows) == 0 {
		return 0, data.ErrNoCommunity
	}
	if err := Allowed(results[1]); err != nil {
		return u.Revision, err
	}
	var id data.ID
	var creator, created any
	var same bool
	err = data.Each(results[2], func(r *data.Row) {
		id, name, creator, created, revision = r.ID(), r.Text(), r.Value(), r.Value(), r.Int()
		same = r.Bool()
	})
	if err != nil {
		return u.Revision, err
	}
	if results[0].RowsAffected == 0 && !same { // the same is there already: saved by an earlier try
		return revision, &data.Error{Code: data.Conflict, Message: "Somebody else changed these settings in the meantime. " +
			"Below is what you wrote; saving it once more replaces theirs."}
	}
	if shard := s.DB.OldShard(id); shard != s.DB.OldDirectory() {
		_, err = data.Tx(ctx, shard, data.OldStmt(copyCommunity, id, name, key, u.Title, u.Description, u.Sidebar, u.SidebarHTML, u.Colour, string(rules),
			creator, created, revision))
	}
	return revision, err
}
