package ui

import (
	"time"

	"plaza/locale"
)

// CommentHTML is the HTML of a comment of a thread up to its replies, made once for all members who see the same. Gaps in it are for what
// differs between them: their vote with the score, and the button that saves.
type CommentHTML struct {
	target string // text id of the comment
	closed bool   // it takes no votes
	html   string
	cuts   [commentCuts]int
}

// The cuts of a comment, in their order in its HTML. From one of a pair to the other is the HTML for a member who has not voted or saved.
const (
	commentLabel = iota
	commentLabelEnd
	commentVotes
	commentScore
	commentScoreEnd
	commentCompact
	commentCompactEnd
	commentVotesEnd
	commentSave
	commentSaveEnd
	commentCuts
)

// NewCommentHTML makes the HTML of a comment, in which nothing is of one member alone.
func NewCommentHTML(l *locale.Language, c *Comment, now time.Time) *CommentHTML {
	m := takeMarkup()
	defer m.release()
	m.lang, m.cutting = l, true
	m.Lit(`<article class="comment" id="c-`).Text(c.ID).Lit(`">`)
	t := &Thread{Now: now}
	m.commentHead(c, t)
	m.Lit(`<details open><summary>`).foldLabel(c).Lit(`</summary>`)
	m.commentContent(c, t)
	shared := &CommentHTML{target: c.ID, closed: c.Votes.Closed, html: string(m.b)}
	if len(m.cuts) != commentCuts {
		panic("ui: a comment has other cuts")
	}
	copy(shared.cuts[:], m.cuts)
	return shared
}

// sharedComment writes CommentHTML for the member whose state c has.
func (m *Markup) sharedComment(c *Comment) *Markup {
	s, cuts := c.Row, &c.Row.cuts
	m.add(s.html[:cuts[commentLabel]])
	m.shortScore(c.Votes.Score).add(s.html[cuts[commentLabelEnd]:cuts[commentVotes]])
	if c.Votes.Mine != 0 {
		m.votes(&Votes{Target: s.target, Mine: c.Votes.Mine, Score: c.Votes.Score, Closed: s.closed})
	} else {
		m.add(s.html[cuts[commentVotes]:cuts[commentScore]])
		m.points(c.Votes.Score).add(s.html[cuts[commentScoreEnd]:cuts[commentCompact]])
		m.Compact(c.Votes.Score).add(s.html[cuts[commentCompactEnd]:cuts[commentVotesEnd]])
	}
	m.add(s.html[cuts[commentVotesEnd]:cuts[commentSave]])
	if c.Saved {
		m.saveButton(s.target, true)
	} else {
		m.add(s.html[cuts[commentSave]:cuts[commentSaveEnd]])
	}
	m.add(s.html[cuts[commentSaveEnd]:])
	return m
}
