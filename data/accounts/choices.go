package accounts

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"

	"plaza/data"
	"plaza/locale"
)

// Choices are how a member wants to read. They are kept as JSON without what is empty, so that they cost little on every page.
type Choices struct {
	Density  string `json:"density,omitempty"`  // of listings: compact or cards; "" is standard
	Theme    string `json:"theme,omitempty"`    // light or dark; "" as the device
	Language string `json:"language,omitempty"` // a tag of locale.Languages; "" as the browser asks
	Posts    string `json:"posts,omitempty"`    // in data.ListingOrders, of a community's page and of / if they name none; "" is the first
	Comments string `json:"comments,omitempty"` // the same of a thread, in data.ThreadOrders
	Zone     string `json:"zone,omitempty"`     // one of Zones; "" is none chosen, so UTC
	NSFW     string `json:"nsfw,omitempty"`     // what is not safe for work: hide or show; "" shows it after a click
	Seen     string `json:"seen,omitempty"`     // posts that they have seen: hide; "" marks them
	Fold     string `json:"fold,omitempty"`     // at which score comments are folded: one of Folds; "" is FoldUsual
}

// Values of Choices.
const (
	HideNSFW = "hide"
	ShowNSFW = "show"
	HideSeen = "hide"

	FoldUsual = -5
	FoldNever = "never"
)

// Folds are the values of Choices.Fold.
var Folds = []string{"", "-1", "-10", "-20", FoldNever}

// Folds tells whether a comment with a score is folded, with its replies, until the reader opens it.
func (c Choices) Folds(score int64) bool {
	switch c.Fold {
	case "":
		return score <= FoldUsual
	case FoldNever:
		return false
	}
	least, err := strconv.ParseInt(c.Fold, 10, 64)
	return err == nil && score <= least
}

// validate tidies the choices and checks them in the order of the form. What is the usual is stored as "".
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

// Column is the column of the choices; "" when all are the usual.
func (c Choices) Column() string {
	if c == (Choices{}) {
		return ""
	}
	b, _ := json.Marshal(c) // texts can always be encoded
	return string(b)
}

// scanChoices reads a column of choices.
func scanChoices(row *data.Row) (c Choices) {
	if text := row.Text(); text != "" {
		row.Fail(json.Unmarshal([]byte(text), &c))
	}
	return c
}

// displays are the values of the choices about looks. "" is the usual.
var displays = map[string][]string{"density": {"", "compact", "cards"}, "theme": {"", "light", "dark"}}

// CheckDisplay returns a mistake unless a choice about looks, density, theme or language, can have the value.
func CheckDisplay(field, value string) error {
	known := slices.Contains(displays[field], value)
	if field == "language" {
		known = value == "" || locale.Find(value) != nil
	}
	return data.MistakeIf(!known, field, "Please choose one of the values in the list.")
}

// The condition on the revision of settings is that of forms, which are refused when they are older than this.
const choose = `UPDATE users SET choices = coalesce(nullif(iif(:value <> '', json_set(iif(choices = '', '{}', choices), '$.' || :name,
  :value), json_remove(iif(choices = '', '{}', choices), '$.' || :name)), '{}'), ''), revision = revision + 1 WHERE id = :actor AND ` +
	data.LiveSession

// ChooseSeen changes the choice Seen alone: hide leaves out of lists what the member has seen. Unauthenticated.
func (s *Store) ChooseSeen(ctx context.Context, a data.Actor, hide bool) error {
	value := ""
	if hide {
		value = HideSeen
	}
	return s.choose(ctx, a, "seen", value)
}

// ChooseDisplay changes a choice about looks alone: density, theme or language. Invalid, Unauthenticated.
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

// It changes no revision: a form of the settings that is open meanwhile has no zone either, and stays as good as it is.
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
