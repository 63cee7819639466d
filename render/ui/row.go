package ui

import (
	"time"

	"plaza/locale"
)

// Row is the HTML of a post in a listing, made once for all members who see the same row. Gaps in it are for what differs between them:
// whether they have seen the post, their vote with the score, and the buttons that save and hide.
type Row struct {
	target string // text id of the post
	closed bool   // it takes no votes
	html   string
	cuts   [rowCuts]int
}

// The cuts of a row, in their order in its HTML. From one of a pair to the other is the HTML for a member who has not voted, saved or
// hidden.
const (
	cutSeen = iota // behind the class of the row
	cutKeep
	cutKeepEnd
	cutVotes
	cutScore
	cutScoreEnd
	cutCompact
	cutCompactEnd
	cutVotesEnd
	rowCuts
)

// cut notes where the HTML that is being written has its next cut. It does nothing for HTML without cuts.
func (m *Markup) cut() *Markup {
	if m.cutting {
		m.cuts = append(m.cuts, len(m.b))
	}
	return m
}

// NewRow makes the row of a post, in which nothing is of one member alone. list says what its rows show.
func NewRow(l *locale.Language, p *PostItem, list *Listing, now time.Time) *Row {
	m := takeMarkup()
	defer m.release()
	m.lang, m.cutting = l, true
	m.postRow(p, &Frame{Viewer: &Viewer{}, Now: now}, list)
	row := &Row{target: p.ID, closed: p.Votes.Closed, html: string(m.b)}
	if len(m.cuts) != rowCuts {
		panic("ui: a row has other cuts")
	}
	copy(row.cuts[:], m.cuts)
	return row
}

// row writes a Row for the member whose state p has.
func (m *Markup) row(p *PostItem) {
	r, c := p.Row, &p.Row.cuts
	m.add(r.html[:c[cutSeen]])
	m.When(p.Seen, seenClass).add(r.html[c[cutSeen]:c[cutKeep]])
	if p.Saved || p.Hidden {
		m.Keep(&Keep{Target: r.target, Saved: p.Saved, Hidden: p.Hidden})
	} else {
		m.add(r.html[c[cutKeep]:c[cutKeepEnd]])
	}
	m.add(r.html[c[cutKeepEnd]:c[cutVotes]])
	if p.Votes.Mine != 0 {
		m.votes(&Votes{Target: r.target, Mine: p.Votes.Mine, Score: p.Votes.Score, Closed: r.closed, Titled: true})
	} else {
		m.add(r.html[c[cutVotes]:c[cutScore]])
		m.points(p.Votes.Score).add(r.html[c[cutScoreEnd]:c[cutCompact]])
		m.Compact(p.Votes.Score).add(r.html[c[cutCompactEnd]:c[cutVotesEnd]])
	}
	m.add(r.html[c[cutVotesEnd]:])
}
