package modlog

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"plaza/data"
	"plaza/locale"
)

// DaysMax is the maximum number of days of a temporary decision.
const DaysMax = 3650

// Near is how far the ends of two equal decisions may be apart: a form may be sent twice, a minute apart, to instances with different
// clocks. A temporary decision lasts a day at least.
const Near = 2 * time.Hour

// SameEnd reports whether two times may be the end of the same decision; the zero time is never.
func SameEnd(a, b time.Time) bool {
	return a.IsZero() && b.IsZero() || !a.IsZero() && !b.IsZero() && a.Sub(b).Abs() < Near
}

// Act is a decision about a post, a comment or a member, for a community or for the site.
type Act struct {
	Action Action
	Rule   string // the title of the rule that was broken; "" if none is cited
	Note   string // a message to the member; "" is none
	Days   int    // how long it lasts; 0 is permanent
}

// Outcome is the result of an Act.
type Outcome struct {
	Target    data.ID   // the post, the comment or the member
	Community string    // its name; "" is the site
	Slug      string    // of the post; "" for a member
	Name      string    // of the member; "" for a post or comment
	Until     time.Time // when it expires; the zero time is never
	Entries   []data.ID // of this decision in the log; none if it was made before
}

// URL returns the address of the post or comment.
func (o *Outcome) URL() string {
	u := "/c/" + o.Community + "/p/" + o.Slug
	if o.Target.IsComment() {
		u += "/" + o.Target.Text()
	}
	return u
}

// Terms say which acts are allowed, with the errors for the others.
type Terms struct {
	Actions     []Action
	ActionError locale.Text // the error for another action
	Rule        locale.Text // the error for an act without a rule, or with a rule that is not in Rules; "" if it needs no rule
	Rules       []string    // nil allows any rule here: the statement checks it
	TooLong     locale.Text // the error for a note that is too long
	Days        locale.Text // the error for an invalid number of days; "" if no act is temporary
}

// Check trims the texts of an Act and checks it. Invalid.
func (a *Act) Check(t Terms) error {
	a.Rule, a.Note = strings.TrimSpace(a.Rule), strings.TrimSpace(a.Note)
	return data.AllMistakes(
		data.MistakeIf(!slices.Contains(t.Actions, a.Action), "decision", t.ActionError),
		data.MistakeIf(t.Rule != "" && (a.Rule == "" || t.Rules != nil && !slices.Contains(t.Rules, a.Rule)), "rule", t.Rule),
		data.MistakeIf(t.Days != "" && (a.Days < 0 || a.Days > DaysMax), "days", t.Days),
		data.MistakeIf(utf8.RuneCountInString(a.Note) > NoteMax, "text", t.TooLong))
}
