package ui

import (
	"time"

	"plaza/locale"
)

// postRow writes a post as a row of a listing. A page has many, so the markup is short (docs/inside/pages.md). One row serves all densities
// and widths: the style sheet arranges it.
func (m *Markup) postRow(p *PostItem, f *Frame, l *Listing) {
	m.Lit(`<article class="post`).placeholder().When(p.Seen, seenClass).Lit(`" id="p-`).Text(p.ID).Lit(`" aria-labelledby="t-`).Text(p.ID)
	m.Lit(`"><div><h2 id="t-`).Text(p.ID).Lit(`">`).TitleLink(p).Lit(`</h2>`)
	if len(p.Found) > 0 && p.Gone() == "" && !p.Spoiler {
		m.Pieces(p.Found, p.Warned)
	}
	m.postFacts(p, f.Now, l)
	if f.Viewer != nil {
		m.rowMenu(p)
	}
	m.Lit(`</div>`)
	m.thumb(p)
	m.votes(&p.Votes).Lit(`</article>`)
}

// seenClass is the class of a post that its viewer has seen.
const seenClass = ` seen`

// postFacts writes the line of a row: the community or the author, the age, the domain of the link, the comments and the marks.
func (m *Markup) postFacts(p *PostItem, now time.Time, l *Listing) {
	m.Lit(`<p class="by">`)
	switch {
	case l.ShowCommunity && !IsProfile(p.Community):
		m.Lit(`<a href="/c/`).Segment(p.Community).Lit(`">`).Lit(`c/`).Text(p.Community).Lit(`</a>`)
	case p.Author != "":
		m.Lit(`<a href="/u/`).Segment(p.Author).Lit(`">`).Lit(`u/`).Text(p.Author).Lit(`</a>`).MemberFlair(&p.AuthorFlair)
	}
	m.TimeAgo(p.CreatedAt, now).Domain(p).CommentCount(p.URL, p.Comments)
	if l.ShowLast && p.Comments > 0 {
		m.LastComment(p.LastCommentAt, now)
	}
	if l.ShowViews {
		m.Views(p.Views)
	}
	m.PostMarks(p).Tags(p.Tags).Lit(`</p>`)
}

// thumb writes the small picture beside a post's title. Its element has a fixed size, so that nothing moves when it loads. Screen readers
// leave it out: other links lead there.
func (m *Markup) thumb(p *PostItem) {
	if p.ThumbURL == "" || p.Gone() != "" {
		return
	}
	m.Lit(`<a class="th`).When(p.Warned, ` nsfw`).When(p.Spoiler, ` spoiler`).Lit(`" href="`).Text(p.URL).
		Lit(`" tabindex="-1" aria-hidden="true"><img src="`).Text(p.ThumbURL).Lit(`" alt="" loading="lazy"></a>`)
}

// rowMenu writes what a member can do about a post of a listing.
func (m *Markup) rowMenu(p *PostItem) {
	m.Lit(`<details class="menu opts"><summary aria-label="`).Say("More").Lit(`"></summary><div>`).placeholder().
		Keep(&Keep{Target: p.ID, Saved: p.Saved, Hidden: p.Hidden}).placeholder()
	if p.CanCrosspost {
		m.Lit(`<a href="/submit?crosspost=`).Text(p.ID).Lit(`">`).Say("Crosspost¦verb").Lit(`</a>`)
	}
	if p.CanEdit {
		m.Lit(`<a href="/edit?target=`).Text(p.ID).Lit(`">`).Say("Edit").Lit(`</a>`)
	}
	if p.CanReport {
		m.Lit(`<a href="/report?target=`).Text(p.ID).Lit(`">`).Say("Report¦verb").Lit(`</a>`)
	}
	if p.CanDelete {
		m.Lit(`<a class="bad" href="/delete?target=`).Text(p.ID).Lit(`">`).Say("Delete").Lit(`</a>`)
	}
	m.Lit(`</div></details>`)
}

// RowTemplate is the HTML of a post in a listing, rendered once and shared by members. It has placeholders for what differs between them:
// whether they have seen the post, their vote with the score, and the buttons that save and hide.
type RowTemplate struct {
	target  string // text id of the post
	closed  bool   // it takes no votes
	score   int64  // in html; the noise in scores makes it another one for some viewers
	html    string
	offsets [rowOffsets]int
}

// Indexes of the offsets, in the order of the HTML. The votes and the buttons that save and hide are there as a viewer without a vote,
// save or hide sees them, who gets them unchanged.
const (
	rowSeen = iota // after the class of the row
	rowKeep
	rowKeepEnd
	rowVotes
	rowScore
	rowScoreEnd
	rowCompact
	rowCompactEnd
	rowVotesEnd
	rowOffsets
)

// placeholder records the current length of the HTML as the next offset. It does nothing unless a template is being rendered.
func (m *Markup) placeholder() *Markup {
	if m.recording {
		m.offsets = append(m.offsets, len(m.b))
	}
	return m
}

// NewRowTemplate renders the row of a post. p must have no vote, save, hide or visit of a viewer. list says what its rows show.
func NewRowTemplate(l *locale.Language, p *PostItem, list *Listing, now time.Time) *RowTemplate {
	m := takeMarkup()
	defer m.release()
	m.lang, m.recording = l, true
	m.postRow(p, &Frame{Viewer: &Viewer{}, Now: now}, list)
	row := &RowTemplate{target: p.ID, closed: p.Votes.Closed, score: p.Votes.Score, html: string(m.b)}
	if len(m.offsets) != rowOffsets {
		panic("ui: a row has another number of placeholders")
	}
	copy(row.offsets[:], m.offsets)
	return row
}

// row writes a row from its template for the viewer whose state p has.
func (m *Markup) row(p *PostItem) {
	r, c := p.Template, &p.Template.offsets
	if p.Votes.Score == r.score && p.Votes.Mine == 0 && !p.Seen && !p.Saved && !p.Hidden {
		m.add(r.html)
		return
	}
	m.add(r.html[:c[rowSeen]])
	m.When(p.Seen, seenClass).add(r.html[c[rowSeen]:c[rowKeep]])
	if p.Saved || p.Hidden {
		m.Keep(&Keep{Target: r.target, Saved: p.Saved, Hidden: p.Hidden})
	} else {
		m.add(r.html[c[rowKeep]:c[rowKeepEnd]])
	}
	m.add(r.html[c[rowKeepEnd]:c[rowVotes]])
	if p.Votes.Mine != 0 {
		m.votes(&Votes{Target: r.target, Mine: p.Votes.Mine, Score: p.Votes.Score, Closed: r.closed, Titled: true})
	} else {
		m.add(r.html[c[rowVotes]:c[rowScore]])
		m.points(p.Votes.Score).add(r.html[c[rowScoreEnd]:c[rowCompact]])
		m.Compact(p.Votes.Score).add(r.html[c[rowCompactEnd]:c[rowVotesEnd]])
	}
	m.add(r.html[c[rowVotesEnd]:])
}
