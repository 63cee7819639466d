package render

import (
	"strconv"

	g "maragu.dev/gomponents"
)

// Votes is the state of one target's vote buttons.
type Votes struct {
	Target string // text id of the post or comment
	Score  int64  // as displayed to this viewer
	Ups    int64
	Downs  int64
	Mine   int   // -1, 0 or 1
	Closed bool  // archived, locked or removed: buttons are shown inactive
	Lift   int64 // what the listing moved the score by, for the answer to a vote
}

// VoteFragment is the buttons in their new state, for the script that has sent a vote.
func VoteFragment(v Votes) g.Node { return votes(v) }

func votes(v Votes) g.Node {
	return component(func(m *markup) { m.votes(&v) })
}

// votes writes a form of two buttons around the score. A pressed button takes the vote back. The form stands on a page many times, so it
// is short. The script knows it by its class and needs no attributes. There is no hidden field: the form's address names the target, and
// the Referer tells where to return to.
func (m *markup) votes(v *Votes) *markup {
	m.lit(`<form class="votes" method="post" action="/vote?target=`).text(v.Target)
	if v.Lift != 0 {
		m.lit(`&amp;lift=`).text(strconv.FormatInt(v.Lift, 10))
	}
	m.lit(`">`)
	m.voteButton("up", "Upvote", "1", v.Mine > 0, v.Closed)
	m.lit(`<span class="score" title="`).plural(v.Score, "point", "points").lit(`">`).compact(v.Score).lit(`</span>`)
	m.voteButton("down", "Downvote", "-1", v.Mine < 0, v.Closed)
	return m.lit(`</form>`)
}

func (m *markup) voteButton(class, label, value literal, pressed, closed bool) {
	state := literal("false")
	if pressed {
		state, value = "true", "0"
	}
	m.lit(`<button class="`).lit(class).lit(`" name="value" value="`).lit(value).lit(`" aria-pressed="`).lit(state).lit(`"`)
	m.when(closed, ` disabled`).lit(`>`).lit(label).lit(`</button>`)
}
