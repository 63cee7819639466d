package view

import (
	"slices"
	"strings"

	"plaza/data"
	"plaza/data/content/flair"
	"plaza/render/ui"
	"plaza/worker/request"
)

// ErrNoFlair refuses a flair that the community does not have.
var ErrNoFlair = &data.Error{Code: data.NotFound, Message: "This community has no such flair. It may have been deleted."}

// FlairView makes the view of the flair of a post.
func FlairView(community string, l flair.Label) ui.Flair {
	if l.ID == 0 {
		return ui.Flair{}
	}
	return ui.Flair{ID: l.ID.Text(), Text: l.Text, Colour: l.Colour, URL: request.FlairURL(community, l.ID)}
}

// MemberFlair makes the view of an author's flair.
func MemberFlair(l flair.Label) ui.MemberFlair { return ui.MemberFlair{Text: l.Text, Colour: l.Colour} }

// OwnFlair makes the view of the viewer's flair in a community; nil if they have none and can choose none.
func OwnFlair(community string, own *flair.MemberFlair) *ui.OwnFlair {
	if own.Text == "" && !own.MayChoose() {
		return nil
	}
	shown := &ui.OwnFlair{MemberFlair: MemberFlair(own.Label)}
	if own.MayChoose() {
		shown.URL = request.OwnFlairURL(community)
	}
	return shown
}

// FlairChoice returns the flairs that an author can choose from: none if the post has a flair that only moderators give.
func FlairChoice(community string, set *flair.Set, current data.ID) (choice ui.FlairChoice) {
	if slices.ContainsFunc(set.Flairs, func(f flair.Flair) bool { return f.ID == current && f.Restricted }) {
		return choice
	}
	for _, f := range set.Open() {
		choice.Flairs = append(choice.Flairs, FlairView(community, f.Label))
	}
	choice.Required = set.Required
	return choice
}

// FlairOfForm returns the flair that a form chooses: 0 for none, nil if the form lacks the field. Invalid.
func FlairOfForm(c *request.Call) (*data.ID, error) {
	if !c.HasAny("flair") {
		return nil, nil
	}
	id, err := request.OptionalID(strings.TrimSpace(c.Value("flair")))
	if err != nil {
		return nil, data.Mistake("flair", "There is no such flair.")
	}
	return &id, nil
}

// FlairText returns the value of a form's field for a flair.
func FlairText(id data.ID) string {
	if id == 0 {
		return ""
	}
	return id.Text()
}
