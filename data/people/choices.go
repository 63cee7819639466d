package people

import (
	"encoding/json"
	"slices"

	"plaza/data"
)

// Choices are how a member wants to read. They are kept as JSON without what is empty, so that they cost little on every page.
type Choices struct {
	Theme    string `json:"theme,omitempty"`    // light or dark; "" as the device
	Posts    string `json:"posts,omitempty"`    // the order of a community's page that names none; "" is hot
	Comments string `json:"comments,omitempty"` // the same of a thread; "" is best
	Zone     string `json:"zone,omitempty"`     // one of Zones; "" is UTC
	NSFW     string `json:"nsfw,omitempty"`     // what is not safe for work: hide or show; "" shows it after a click
}

// Values of Choices.
const (
	ThemeLight = "light"
	ThemeDark  = "dark"
	HideNSFW   = "hide"
	ShowNSFW   = "show"
)

// orders and commentOrders are those that can be chosen, by their names in addresses.
var (
	orders        = []string{"", "new", "top", "rising", "controversial", "comments", "views"}
	commentOrders = []string{"", "top", "new", "old", "controversial", "qa"}
)

// validate tidies the choices and checks them in the order of the form. What is the usual is stored as "".
func (c *Choices) validate() error {
	if c.Posts == "hot" {
		c.Posts = ""
	}
	if c.Comments == "best" {
		c.Comments = ""
	}
	return data.AllMistakes(
		data.MistakeIf(!slices.Contains([]string{"", ThemeLight, ThemeDark}, c.Theme), "theme", "Please choose one of the themes."),
		data.MistakeIf(!slices.Contains(orders, c.Posts), "posts", "Please choose one of the orders."),
		data.MistakeIf(!slices.Contains(commentOrders, c.Comments), "comments", "Please choose one of the orders."),
		data.MistakeIf(c.Zone != "" && !slices.Contains(Zones(), c.Zone), "zone", "Please choose one of the time zones."),
		data.MistakeIf(!slices.Contains([]string{"", HideNSFW, ShowNSFW}, c.NSFW), "nsfw", "Please choose one of the values in the list."))
}

// text is the column of the choices; "" when all are the usual.
func (c Choices) text() string {
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
