// Package flair keeps the flairs of communities: short labels, which moderators define and posts and members can have. All of it is on the
// community's shard. Posts have only the id of a flair, and members a row in member_flairs; statements look up the text. So moderators can
// rename or delete a flair without a write for each post. No id is used twice. flair_sets has the revision of a community's set.
//
// Begin with Of and OfAuthor, the columns for statements that read posts and comments, and with Store.Update (store.go).
package flair

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"plaza/data"
)

// Limits of a community's flairs.
const (
	Max           = 30
	TextMax       = data.FlairMax
	MemberTextMax = 32 // characters of a member's own text
	// PlaceMax is the highest position in a form.
	PlaceMax = 999
)

// Colours are the colours of flairs. Each except the first has a rule in the style sheet.
var Colours = []string{"plain", "blue", "violet", "magenta", "crimson", "orange", "slate"}

// Label is a flair as a post shows it. The zero value is none.
type Label struct {
	ID     data.ID
	Text   string
	Colour string // one of Colours
}

// Flair is a flair that moderators have defined.
type Flair struct {
	Label
	Restricted bool // authors can't choose it, moderators give it
}

// Choice is what members can choose as their flair.
type Choice string

// Who may choose a member's flair. Moderators can give flairs in any case.
const (
	ChooseNone   Choice = "given"  // members can't choose
	ChooseListed Choice = "listed" // one of the community's
	ChooseOwn    Choice = "own"    // one of the community's, or a text of their own
)

// Choices are all choices, in the order of the form.
var Choices = []Choice{ChooseListed, ChooseOwn, ChooseNone}

// Set is the flairs of a community's posts or of its members, in their order.
type Set struct {
	OfMembers bool
	Flairs    []Flair
	Required  bool   // posts must have one; only for posts
	Choose    Choice // who may choose; only for members
	Revision  int64  // of both sets together; 0 if there never were any
}

// Open returns the flairs that authors can choose.
func (s *Set) Open() []Flair {
	return slices.DeleteFunc(slices.Clone(s.Flairs), func(f Flair) bool { return f.Restricted })
}

// Label returns the flair with an id; the zero label if the set has none.
func (s *Set) Label(id data.ID) Label {
	for _, f := range s.Flairs {
		if f.ID == id {
			return f.Label
		}
	}
	return Label{}
}

// Field is the name of a form's field for a part of a flair: id, text, colour, place or only. The first flair is 1.
func Field(n int, part string) string { return fmt.Sprintf("flair-%d-%s", n, part) }

// Row is a row of the form of a community's flairs. Rows without a text are ignored.
type Row struct {
	Flair
	Place int // its position
}

// Update is the form of a community's flairs, of posts or of members. New flairs have an id already.
type Update struct {
	OfMembers bool
	Rows      []Row
	Required  bool   // as in Set
	Choose    Choice // as in Set
	Revision  int64  // the form's revision
	Force     bool   // replaces the flairs whatever their revision is, for programs that don't know it
}

// Set checks the rows and returns them as a set, in the order of their places. Mistakes name a row by its position in the form. Invalid.
func (u *Update) Set() (*Set, error) {
	if len(u.Rows) > Max {
		return nil, data.Mistake("", "A community has at most 30 flairs.")
	}
	var mistakes []error
	var rows []Row
	seen := map[string]bool{}
	for i, r := range u.Rows {
		if r.Text = data.Line(r.Text); r.Text == "" {
			continue
		}
		key := strings.ToLower(r.Text)
		mistakes = append(mistakes,
			data.MistakeIf(r.ID <= 0, Field(i+1, "text"), "That is no flair of this community."),
			data.MistakeIf(utf8.RuneCountInString(r.Text) > TextMax, Field(i+1, "text"), "A flair has at most 30 characters."),
			data.MistakeIf(seen[key], Field(i+1, "text"), "There are two flairs with this text."),
			data.MistakeIf(!slices.Contains(Colours, r.Colour), Field(i+1, "colour"), "Please choose one of the colours."),
			data.MistakeIf(r.Place < 0 || r.Place > PlaceMax, Field(i+1, "place"), "A place is a whole number up to 999."))
		seen[key] = true
		rows = append(rows, r)
	}
	slices.SortStableFunc(rows, func(a, b Row) int { return a.Place - b.Place })
	set := &Set{OfMembers: u.OfMembers, Required: u.Required, Choose: u.Choose, Revision: u.Revision}
	for _, r := range rows {
		set.Flairs = append(set.Flairs, r.Flair)
	}
	return set, data.AllMistakes(append(mistakes,
		data.MistakeIf(u.OfMembers && !slices.Contains(Choices, u.Choose), "choose", "Please choose one of the values in the list."),
		data.MistakeIf(u.Required && len(set.Open()) == 0, "required",
			"Posts can only need a flair if there is one that authors can choose."))...)
}

// Parts of statements about posts. All except OfRule use primary keys. They check that a post's flair belongs to its community:
// moderators of another one could define a flair with the id of a deleted one.
const (
	// Of is a column that Label.Scan reads: the flair of a post p.
	Of = `(SELECT json_array(f.id, f.colour, f.text) FROM flairs f WHERE f.id = p.flair_id AND f.community_id = p.community_id)`
	// Given is the condition that only moderators may change the flair of a post p, because only they give it.
	Given = `EXISTS (SELECT 1 FROM flairs f WHERE f.id = p.flair_id AND f.community_id = p.community_id AND f.restricted = 1)`
	// Missing is the condition that a post p has no flair, and its community requires one.
	Missing = `EXISTS (SELECT 1 FROM flair_sets s WHERE s.community_id = p.community_id AND s.required = 1 AND NOT EXISTS (SELECT 1
  FROM flairs f WHERE f.id = p.flair_id AND f.community_id = p.community_id))`
)

// Refused returns the condition that an author can't choose the flair :flair (0 is none) in a community. community is the SQL of its id.
func Refused(community string) string {
	return `EXISTS (SELECT 1 FROM flair_sets s WHERE iif(:flair = 0, s.required, NOT EXISTS (
  SELECT 1 FROM flairs f WHERE f.id = :flair AND f.restricted = 0 AND f.of_members = 0 AND f.community_id = s.community_id))
  AND s.community_id = ` + community + `)`
}

// Chosen returns the SQL of the column flair_id: :flair, or NULL if the community has no such flair. community is the SQL of its id.
func Chosen(community string) string {
	return `(SELECT f.id FROM flairs f WHERE f.id = :flair AND f.of_members = 0 AND f.community_id = ` + community + `)`
}

// OfRule returns the SQL of the flair with the text :ruled, which an automatic rule gives: NULL if the community has none, or if :ruled is
// empty. community is the SQL of its id. Index flairs_listed, with at most Max rows for a community.
func OfRule(community string) string { return ofRule + community + `)` }

// OfRuleWhere is OfRule among the flairs f that match a condition.
func OfRuleWhere(community, condition string) string {
	return ofRule + community + ` AND ` + condition + `)`
}

const ofRule = `(SELECT f.id FROM flairs f WHERE :ruled <> '' AND f.text = :ruled AND f.of_members = 0 AND f.community_id = `

// OfAuthor returns a column that Label.ScanAuthor reads: the flair of a member in a community. author and community are SQL expressions of
// their ids. Primary keys.
func OfAuthor(author, community string) string {
	return ofAuthor + author + ` AND worn.community_id = ` + community + `)`
}

const (
	ofAuthor = `(SELECT json_array(coalesce(its.colour, worn.colour), coalesce(its.text, worn.text)) FROM member_flairs worn
  LEFT JOIN flairs its ON its.id = worn.flair_id AND its.community_id = worn.community_id WHERE worn.user_id = `
	// OfPostAuthor is OfAuthor for a post p.
	OfPostAuthor = ofAuthor + `p.author_id AND worn.community_id = p.community_id)`
)

// Scan reads the column Of.
func (l *Label) Scan(row *data.Row) {
	*l = Label{}
	row.Record(func(row *data.Row) { l.ID, l.Colour, l.Text = row.ID(), row.Text(), row.Text() })
}

// ScanAuthor reads the column OfAuthor. The label has no id.
func (l *Label) ScanAuthor(row *data.Row) {
	*l = Label{}
	row.Record(func(row *data.Row) { l.Colour, l.Text = row.Text(), row.Text() })
	if l.Text == "" { // the flair was deleted
		*l = Label{}
	}
}

// Refusal returns the error for an author's choice that matches Refused or Missing; 0 is none.
func Refusal(chosen data.ID) error {
	if chosen == 0 {
		return data.Mistake("flair", "Posts in this community need a flair. Please choose one.")
	}
	return data.Mistake("flair", "This flair can't be chosen here. Please choose another one.")
}

// ErrGiven is returned to an author who changes a flair that only moderators give.
var ErrGiven = data.Mistake("flair", "The moderators have given this flair. Only they can change it.")
