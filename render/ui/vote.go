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
	Titled bool `json:"-"` // of a post, whose title has the id t-Target and says what the buttons are about
}

// VoteFragment is the buttons in their new state, for the script that has sent a vote.
func VoteFragment(v Votes) g.Node { return VoteForms(v) }

func VoteForms(v Votes) g.Node {
	return Component(func(m *Markup) { m.votes(&v) })
}

// votes writes a form of two buttons around the score. A pressed button takes the vote back. The form stands on a page many times, so it
// is short. The script knows it by its class and needs no attributes. There is no hidden field: the form's address names the target, and
// the Referer tells where to return to.
func (m *Markup) votes(v *Votes) *Markup {
	m.Lit(`<form class="votes" method="post" action="/vote?target=`).Text(v.Target).Lit(`">`)
	m.voteButton(v, "up", "Upvote¦verb", "1", v.Mine > 0)
	m.Lit(`<span class="score" title="`).Count(v.Score, "{} point|{} points").Lit(`">`).Compact(v.Score).Lit(`</span>`)
	m.voteButton(v, "down", "Downvote¦verb", "-1", v.Mine < 0)
	return m.Lit(`</form>`)
}

func (m *Markup) voteButton(v *Votes, class Literal, label locale.Text, value Literal, pressed bool) {
	state := Literal("false")
	if pressed {
		state, value = "true", "0"
	}
	m.Lit(`<button class="`).Lit(class).Lit(`" name="value" value="`).Lit(value).Lit(`" aria-pressed="`).Lit(state).Lit(`"`)
	if v.Titled {
		m.Lit(` aria-describedby="t-`).Text(v.Target).Lit(`"`)
	}
	m.When(v.Closed, ` disabled`).Lit(`>`).Say(label).Lit(`</button>`)
}
