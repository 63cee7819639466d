package ui

import "time"

// postRow writes a post as a row of a listing. A page has many, so the markup is short (docs/inside/pages.md). One row serves all densities
// and widths: the style sheet arranges it.
func (m *Markup) postRow(p *PostItem, f *Frame, l *Listing) {
	m.Lit(`<article class="post`).cut().When(p.Seen, seenClass).Lit(`" id="p-`).Text(p.ID).Lit(`" aria-labelledby="t-`).Text(p.ID)
	m.Lit(`"><div><h2 id="t-`).Text(p.ID).Lit(`">`).titleLink(p).Lit(`</h2>`)
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
	m.Lit(`<details class="menu opts"><summary aria-label="`).Say("More").Lit(`"></summary><div>`).cut().
		Keep(&Keep{Target: p.ID, Saved: p.Saved, Hidden: p.Hidden}).cut()
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
