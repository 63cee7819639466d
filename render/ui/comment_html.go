package ui

import (
	"time"

	"plaza/locale"
)

// CommentTemplate is the HTML of a comment of a thread up to its replies, rendered once and shared by members. It has placeholders for
// what differs between them: their vote with the score, and the button that saves.
type CommentTemplate struct {
	target  string // text id of the comment
	closed  bool   // it takes no votes
	score   int64  // in html; the noise in scores makes it another one for some viewers
	html    string
	offsets [commentOffsets]int
}

// Indexes of the offsets, in the order of the HTML. The votes and the button that saves are there as a viewer without a vote or save sees
// them, who gets them unchanged.
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
	commentOffsets
)

// NewCommentTemplate renders a comment. c must have no vote or save of a viewer.
func NewCommentTemplate(l *locale.Language, c *Comment, now time.Time) *CommentTemplate {
	m := takeMarkup()
	defer m.release()
	m.lang, m.recording = l, true
	m.Lit(`<article class="comment" id="c-`).Text(c.ID).Lit(`">`)
	t := &Thread{Now: now}
	m.commentHead(c, t)
	m.Lit(`<details open><summary>`).foldLabel(c).Lit(`</summary>`)
	m.commentContent(c, t)
	shared := &CommentTemplate{target: c.ID, closed: c.Votes.Closed, score: c.Votes.Score, html: string(m.b)}
	if len(m.offsets) != commentOffsets {
		panic("ui: a comment has another number of placeholders")
	}
	copy(shared.offsets[:], m.offsets)
	return shared
}

// sharedComment writes a comment from its template, up to its replies. The caller writes these and closes the element.
func (m *Markup) sharedComment(c *Comment) *Markup {
	s, at := c.Template, &c.Template.offsets
	if c.Votes.Score == s.score && c.Votes.Mine == 0 && !c.Saved {
		m.add(s.html)
		return m
	}
	m.add(s.html[:at[commentLabel]])
	m.shortScore(c.Votes.Score).add(s.html[at[commentLabelEnd]:at[commentVotes]])
	if c.Votes.Mine != 0 {
		m.votes(&Votes{Target: s.target, Mine: c.Votes.Mine, Score: c.Votes.Score, Closed: s.closed})
	} else {
		m.add(s.html[at[commentVotes]:at[commentScore]])
		m.points(c.Votes.Score).add(s.html[at[commentScoreEnd]:at[commentCompact]])
		m.Compact(c.Votes.Score).add(s.html[at[commentCompactEnd]:at[commentVotesEnd]])
	}
	m.add(s.html[at[commentVotesEnd]:at[commentSave]])
	if c.Saved {
		m.saveButton(s.target, true)
	} else {
		m.add(s.html[at[commentSave]:at[commentSaveEnd]])
	}
	m.add(s.html[at[commentSaveEnd]:])
	return m
}
