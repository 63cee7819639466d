package accounts

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"

	"plaza/data"
	"plaza/locale"
)

// Choices are a member's display settings. They are stored as JSON without empty fields, because every page reads them.
type Choices struct {
	Density  string `json:"density,omitempty"`  // of listings: compact or cards, or EditionFirst; "" is the site's, and list is standard
	Theme    string `json:"theme,omitempty"`    // light or dark; "" follows the device
	Language string `json:"language,omitempty"` // a tag of locale.Languages; "" follows the browser
	Posts    string `json:"posts,omitempty"`    // of / and communities' pages if the address has none: in data.ListingOrders; "" is the first
	Comments string `json:"comments,omitempty"` // the same for a thread, in data.ThreadOrders
	Zone     string `json:"zone,omitempty"`     // one of Zones; "" is UTC, because none was chosen
	NSFW     string `json:"nsfw,omitempty"`     // NSFW posts: hide or show; "" shows them after a click
	Seen     string `json:"seen,omitempty"`     // posts that the member has seen: hide; "" marks them
	Fold     string `json:"fold,omitempty"`     // comments up to this score are folded: one of Folds; "" is FoldUsual
}

// Values of Choices.
const (
	HideNSFW = "hide"
	ShowNSFW = "show"
	HideSeen = "hide"

	// EditionFirst is the value of Density that makes the edition the front page. Other lists are standard.
	EditionFirst = "edition"

	FoldUsual = -5
	FoldNever = "never"
)

// Folds are the values of Choices.Fold.
var Folds = []string{"", "-1", "-10", "-20", FoldNever}

// Folds reports whether a comment with this score is folded, with its replies, until the reader opens it.
func (c Choices) Folds(score int64) bool {
	switch c.Fold {
	case "":
		return score <= FoldUsual
	case FoldNever:
		return false
	}
	highest, err := strconv.ParseInt(c.Fold, 10, 64)
	return err == nil && score <= highest
}

// validate normalizes the choices and checks them in the order of the form. It stores a default as "".
func (c *Choices) validate() error {
	posts, known := data.ChosenOrder(data.ListingOrders, c.Posts)
	comments, knownComments := data.ChosenOrder(data.ThreadOrders, c.Comments)
	c.Posts, c.Comments = posts, comments
	var unknown error
	if c.Zone != "" {
		c.Zone, unknown = ParseZone(c.Zone)
	}
	return data.AllMistakes(
		CheckDisplay("density", c.Density), CheckDisplay("theme", c.Theme), CheckDisplay("language", c.Language),
		data.MistakeIf(!known, "posts", "Please choose one of the orders."),
		data.MistakeIf(!knownComments, "comments", "Please choose one of the orders."),
		unknown,
		data.MistakeIf(!slices.Contains([]string{"", HideNSFW, ShowNSFW}, c.NSFW), "nsfw", "Please choose one of the values in the list."),
		data.MistakeIf(!slices.Contains([]string{"", HideSeen}, c.Seen), "seen", "Please choose one of the values in the list."),
		data.MistakeIf(!slices.Contains(Folds, c.Fold), "fold", "Please choose one of the values in the list."))
}

// Column returns the value of the column; "" if all choices are defaults.
func (c Choices) Column() string {
	if c == (Choices{}) {
		return ""
	}
	b, _ := json.Marshal(c) // encoding texts can't fail
	return string(b)
}

// scanChoices parses a column of choices.
func scanChoices(row *data.Row) (c Choices) {
	if text := row.Text(); text != "" {
		row.Fail(json.Unmarshal([]byte(text), &c))
	}
	return c
}

// displays are the values of the display choices. "" is the default.
var displays = map[string][]string{"density": {"", "list", "compact", "cards", EditionFirst}, "theme": {"", "light", "dark"}}

// CheckDisplay returns Invalid unless the value is valid for the choice: density, theme or language.
func CheckDisplay(field, value string) error {
	known := slices.Contains(displays[field], value)
	if field == "language" {
		known = value == "" || locale.Find(value) != nil
	}
	return data.MistakeIf(!known, field, "Please choose one of the values in the list.")
}

// It raises the revision, so that a settings form that was opened before is refused.
const choose = `UPDATE users SET choices = coalesce(nullif(iif(:value <> '', json_set(iif(choices = '', '{}', choices), '$.' || :name,
  :value), json_remove(iif(choices = '', '{}', choices), '$.' || :name)), '{}'), ''), revision = revision + 1 WHERE id = :actor AND ` +
	data.LiveSession

// ChooseSeen changes only the choice Seen: with hide, lists leave out posts that the member has seen. Unauthenticated.
func (s *Store) ChooseSeen(ctx context.Context, a data.Actor, hide bool) error {
	value := ""
	if hide {
		value = HideSeen
	}
	return s.choose(ctx, a, "seen", value)
}

// ChooseDisplay changes one display choice: density, theme or language. Invalid, Unauthenticated.
func (s *Store) ChooseDisplay(ctx context.Context, a data.Actor, field, value string) error {
	if err := CheckDisplay(field, value); err != nil {
		return err
	}
	return s.choose(ctx, a, field, value)
}

// choose changes one choice, by its name in JSON.
func (s *Store) choose(ctx context.Context, a data.Actor, name, value string) error {
	w := s.DB.Write()
	return liveWrite(ctx, w, w.Do(choose, a.Args(data.Args{"name": name, "value": value})))
}

// liveWrite runs a write whose statement changes no row once the session has ended. Unauthenticated.
func liveWrite(ctx context.Context, w *data.Write, changed *data.Change) error {
	if err := w.Run(ctx); err != nil {
		return err
	}
	if changed.Rows == 0 {
		return data.ErrSessionEnded
	}
	return nil
}

// It keeps the revision, so that an open settings form stays valid: that has no zone either.
const adoptZone = `UPDATE users SET choices = json_set(iif(choices = '', '{}', choices), '$.zone',
  coalesce(nullif(json_extract(nullif(choices, ''), '$.zone'), ''), :zone)) WHERE id = :actor AND ` + data.LiveSession

// AdoptZone chooses the time zone of the member's device for a member who has chosen none. For others it changes nothing. Invalid,
// Unauthenticated.
func (s *Store) AdoptZone(ctx context.Context, a data.Actor, device string) error {
	zone, err := ParseZone(device)
	if err != nil {
		return err
	}
	w := s.DB.Write()
	return liveWrite(ctx, w, w.Do(adoptZone, a.Args(data.Args{"zone": zone})))
}
