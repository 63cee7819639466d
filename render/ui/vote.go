package ui

import (
	g "maragu.dev/gomponents"

	"plaza/locale"
)

// Votes is the state of one target's vote buttons.
type Votes struct {
	Target string `json:"-"`       // text id of the post or comment
	Score  int64  `json:"score"`   // Upvotes minus downvotes, as this viewer sees them.
	Ups    int64  `json:"ups"`     // Upvotes, as this viewer sees them.
	Downs  int64  `json:"downs"`   // Downvotes, as this viewer sees them.
	Mine   int    `json:"my_vote"` // The viewer's own vote: 1, -1 or 0.
	// Whether it takes no votes any more.
	//
	// Archived, locked or removed: buttons are shown inactive.
	Closed bool `json:"votes_closed"`
	Titled bool `json:"-"` // of a post: its title, with the id t-Target, describes the buttons
}

// VoteFragment is the buttons in their new state, the response to a vote.
func VoteFragment(v Votes) g.Node { return VoteForms(v) }

func VoteForms(v Votes) g.Node {
	return Component(func(m *Markup) { m.votes(&v) })
}

// votes writes two buttons around the score. A pressed button takes the vote back. A page has them many times, so they are short: the
// script finds them by the class. There is no hidden field: the address names the target, and the Referer is the page to return to.
func (m *Markup) votes(v *Votes) *Markup {
	m.placeholder().Lit(`<div class="votes">`)
	m.voteButton(v, "up", "Upvote¦verb", "1", v.Mine > 0)
	m.Lit(`<span class="score" title="`).placeholder().points(v.Score).placeholder().Lit(`">`)
	m.placeholder().Compact(v.Score).placeholder().Lit(`</span>`)
	m.voteButton(v, "down", "Downvote¦verb", "-1", v.Mine < 0)
	return m.Lit(`</div>`).placeholder()
}

// points writes a score with its unit, such as "12 points".
func (m *Markup) points(n int64) *Markup { return m.Count(n, "{} point|{} points") }

func (m *Markup) voteButton(v *Votes, class Literal, label locale.Text, value Literal, pressed bool) {
	state := Literal("false")
	if pressed {
		state, value = "true", "0"
	}
	m.Lit(`<button`).submitTo("/vote?target=", v.Target).Lit(` class="`).Lit(class).Lit(`" name="value" value="`).Lit(value).
		Lit(`" aria-pressed="`).Lit(state).Lit(`"`)
	if v.Titled {
		m.Lit(` aria-describedby="t-`).Text(v.Target).Lit(`"`)
	}
	m.When(v.Closed, ` disabled`).Lit(`>`).Say(label).Lit(`</button>`)
}

// buttonForm is the form of all buttons that act on one thing among many, such as votes. With a form each, a thread of 3,000 comments opens
// half a second later on a phone: the browser's password manager looks into every form, so comments that are not on the screen are styled.
const buttonForm = `<form id="do" method="post" action="/vote" hidden></form>`

// submitTo writes the attributes with which a button submits buttonForm to an address.
func (m *Markup) submitTo(address Literal, target string) *Markup {
	return m.Lit(` form="do" formaction="`).Lit(address).Text(target).Lit(`"`)
}
