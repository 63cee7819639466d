package communities

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"plaza/data"
	"plaza/data/events/modlog"
	"plaza/data/rights/roles"
	"plaza/data/searchwords"
)

// Limits of settings, in characters.
const (
	SidebarMax   = 10000
	RuleTitleMax = 100
	RuleTextMax  = 500
	RulesMax     = 15 // rules of a community
)

// Who may add pictures to comments of a community, as values of Settings.CommentPictures.
const (
	CommentPicturesTrusted = "trusted"
	CommentPicturesNobody  = "nobody"
)

// Settings are the settings of a community.
type Settings struct {
	Title       string
	Description string
	Sidebar     string // Markdown as typed
	Colour      string // Hex of one in data.Palette
	// Icon and Banner are sums of pictures in the table pictures, "" for none. Call pictures.Store.Claim before changing them. The triggers
	// communities_pictured, communities_repictured and communities_unpictured read them.
	Icon, Banner string
	// CommentPictures says who may add pictures to comments: "" for the site's rule, else CommentPicturesTrusted or CommentPicturesNobody.
	// The stricter of the community's and the site's rule applies (pictures.Store.ClaimForComment).
	CommentPictures string
	Rules           []Rule
	// Revision is the revision of the settings that the form was made from; 0 if they were never changed.
	Revision int64
}

// Update is the form of the settings. The caller renders SidebarHTML from Sidebar.
type Update struct {
	Settings
	SidebarHTML string
	// Force replaces the settings whatever their revision is, for programs that don't know it.
	Force bool
}

// RuleField is the name of the form's field for the "title" or "text" of a rule. The first rule is 1.
func RuleField(n int, part string) string { return fmt.Sprintf("rule-%d-%s", n, part) }

// Validate normalizes the fields and checks them in the order of the form. It removes empty rules, but only if there is no mistake,
// because mistakes name rules by their place in the form.
func (u *Update) Validate() error {
	u.Title, u.Description = data.Line(u.Title), data.Plain(u.Description)
	if data.Blank(u.Sidebar) {
		u.Sidebar = ""
	}
	mistakes := []error{
		data.MistakeIf(u.Title == "", "title", "A community needs a title."),
		validateAbout(u.Title, u.Description),
		data.MistakeIf(utf8.RuneCountInString(u.Sidebar) > SidebarMax, "sidebar", "A sidebar has at most 10,000 characters."),
		data.MistakeIf(data.InPalette(u.Colour) < 0, "colour", "Please choose one of the colours."),
		data.MistakeIf(!slices.Contains([]string{"", CommentPicturesTrusted, CommentPicturesNobody}, u.CommentPictures), "comment_pictures",
			"Please choose who can add pictures to comments."),
	}
	rules, ruleMistakes := NormalizeRules(u.Rules)
	if err := data.AllMistakes(append(mistakes, ruleMistakes...)...); err != nil {
		return err
	}
	u.Rules = rules
	return nil
}

// NormalizeRules normalizes the rules of a form, of a community or of the site. It removes empty ones, and returns the mistakes.
func NormalizeRules(list []Rule) (rules []Rule, mistakes []error) {
	if len(list) > RulesMax {
		return nil, []error{data.Mistake(RuleField(RulesMax, "title"), "There can be at most 15 rules.")}
	}
	for i, r := range list {
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
	return rules, mistakes
}

// settingTexts are the settings that are texts: their columns, which are also their names in the form, and their fields.
var settingTexts = []struct {
	column string
	field  func(*Settings) *string
}{
	{"title", func(set *Settings) *string { return &set.Title }},
	{"description", func(set *Settings) *string { return &set.Description }},
	{"sidebar", func(set *Settings) *string { return &set.Sidebar }},
	{"colour", func(set *Settings) *string { return &set.Colour }},
	{"icon", func(set *Settings) *string { return &set.Icon }},
	{"banner", func(set *Settings) *string { return &set.Banner }},
	{"comment_pictures", func(set *Settings) *string { return &set.CommentPictures }},
}

// SettingColumns are the columns of Settings: those of texts in their order, and then the rules, which are JSON. A new setting that is a
// text needs a field, a row above and a step of the schema. One of another type also needs a case in args, FindSettings, copy.go (which
// reads texts), the handler and the importer. Each also needs
//
//   - a field in the form (render/community/community_settings.go) and in docs/api.md;
//   - a value in what is imported (columnsOf in ops/exchange/importer), and a column in what is exported (communityColumns in
//     ops/exchange/exporter);
//   - a field of exchange.Community, and a row in docs/exchange.md.
//
// Tests check that the form and the export have all columns.
var SettingColumns = append(settingNames(), "rules")

func settingNames() (names []string) {
	for _, text := range settingTexts {
		names = append(names, text.column)
	}
	return names
}

// Text returns the field of a text column of SettingColumns; nil for rules.
func (set *Settings) Text(column string) *string {
	for _, text := range settingTexts {
		if text.column == column {
			return text.field(set)
		}
	}
	return nil
}

// args returns one parameter for each setting, and those in more.
func (set *Settings) args(more data.Args) data.Args {
	rules, _ := json.Marshal(append([]Rule{}, set.Rules...)) // encoding texts can't fail
	args := data.Args{"rules": string(rules)}
	for _, text := range settingTexts {
		args[text.column] = *text.field(set)
	}
	maps.Copy(args, more)
	return args
}

// eachSetting repeats a text for each column, with the column for %[1]s.
func eachSetting(text, between string) string {
	list := make([]string, len(SettingColumns))
	for i, column := range SettingColumns {
		list[i] = fmt.Sprintf(text, column)
	}
	return strings.Join(list, between)
}

// Unique index on name_key.
var communitySettings = `SELECT ` + eachSetting("c.%[1]s", ", ") + `, c.revision FROM communities c WHERE c.name_key = :key`

// FindSettings reads a community's settings along with a page.
func (s *Store) FindSettings(r *data.Read, name string) *Settings {
	set := &Settings{}
	r.Find(communitySettings, data.Args{"key": strings.ToLower(name)}, func(row *data.Row) {
		for _, text := range settingTexts {
			*text.field(set) = row.Text()
		}
		set.Rules, set.Revision = scanRules(row), row.Int()
	})
	return set
}

var (
	// Unique index on name_key, primary keys, and the end of communities_revision. :from is the revision that the
	// form was made from; NULL is any.
	settingsDiffer = `EXISTS (SELECT 1 FROM communities k WHERE k.name_key = :community
  AND coalesce(k.revision, 0) = coalesce(:from, k.revision, 0)
  AND (` + eachSetting("k.%[1]s", ", ") + `) <> (` + eachSetting(":%[1]s", ", ") + `)) AND ` + roles.ByModerator
	updateCommunity = `UPDATE communities SET ` + eachSetting("%[1]s = :%[1]s", ", ") + `, sidebar_html = :html,
  words = :words, about_words = :about_words,
  revision = coalesce((SELECT r.revision FROM communities r WHERE r.revision IS NOT NULL ORDER BY r.revision DESC LIMIT 1), 0) + 1
WHERE name_key = :community AND coalesce(revision, 0) = coalesce(:from, revision, 0) AND ` + roles.ByModerator + ` AND ` + data.LiveSession
	updatedCommunity = `SELECT c.id, c.revision, ` + eachSetting("c.%[1]s = :%[1]s", " AND ") + ` FROM communities c WHERE c.name_key = :key`
)

// Update changes a community's settings. It writes the shard's copy at once; if the shard is down, the retry job writes it (Copy). It
// returns the revision that is stored now, also with Conflict, which means that another user has changed the settings since u.Revision.
// Invalid, NotFound, Forbidden (not a moderator) and Unauthenticated.
func (s *Store) Update(ctx context.Context, a data.Actor, name string, u Update) (revision int64, err error) {
	defer s.cache.Clear()
	if err := u.Validate(); err != nil {
		return u.Revision, err
	}
	key := strings.ToLower(name)
	var from any
	if !u.Force {
		from = u.Revision
	}
	var id data.ID
	var same bool

	w := s.DB.Write()
	modlog.Add(w, a, modlog.NewEntry{ID: s.Source.NewID(0, data.KindOther), Community: name, Action: modlog.Settings}, settingsDiffer,
		u.args(data.Args{"community": key, "allowed": false, "from": from}))
	changed := w.Do(updateCommunity, a.Args(u.args(data.Args{"community": key, "allowed": false, "from": from, "html": u.SidebarHTML,
		"words": searchwords.Words(u.Title), "about_words": searchwords.Words(u.Description)})))
	copies := s.enqueueSettings(w, key)
	moderator := roles.ModeratorIn(a, key).Check(w)
	w.Find(updatedCommunity, u.args(data.Args{"key": key}), func(row *data.Row) {
		id, revision, same = row.ID(), row.Int(), row.Bool()
	})
	if err := w.Run(ctx); err != nil {
		return u.Revision, err
	}
	if id == 0 {
		return 0, data.ErrNoCommunity
	}
	if err := moderator.Err(); err != nil {
		return u.Revision, err
	}
	if changed.Rows == 0 && !same { // equal settings mean that an earlier attempt has saved them
		return revision, &data.Error{Code: data.Conflict, Message: "Somebody else changed these settings in the meantime. " +
			"Below is what you wrote; saving it once more replaces theirs."}
	}
	s.copyNow(ctx, copies)
	return revision, nil
}
