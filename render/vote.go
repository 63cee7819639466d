package render

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// VoteFragment answers a vote in place: the widget with its new state.
func VoteFragment(v Votes) g.Node { return votes(v, v.Return) }

// votes is a form of two buttons around the score; a lit button takes the vote
// back. Ret is the path the form leads back to without JavaScript.
func votes(v Votes, ret string) g.Node {
	return h.Form(h.Class("votes"), h.Method("post"), h.Action("/vote"), g.Attr("hx-post", "/vote"),
		hidden("target", v.Target),
		g.If(ret != "", hidden("return", ret)),
		voteButton("up", "Upvote", "1", v.Mine > 0, v.Closed),
		score(v),
		voteButton("down", "Downvote", "-1", v.Mine < 0, v.Closed),
	)
}

func voteButton(class, label, value string, pressed, closed bool) g.Node {
	state := "false"
	if pressed {
		state, value = "true", "0"
	}
	return h.Button(h.Class(class), h.Name("value"), h.Value(value), h.Aria("pressed", state), g.If(closed, h.Disabled()), g.Text(label))
}

func score(v Votes) g.Node {
	return h.Span(h.Class("score"), h.Title(plural(v.Score, "point", "points")), g.Text(compact(v.Score)))
}

func hidden(name, value string) g.Node {
	return h.Input(h.Type("hidden"), h.Name(name), h.Value(value))
}
