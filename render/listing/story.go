package listing

import "plaza/render/ui"

// story writes a post of an edition: its title and a line of facts. level is that of the heading. In a section the community is left out,
// because the heading names it.
func story(m *ui.Markup, page *EditionPage, p *ui.PostItem, level ui.Literal, withCommunity bool) {
	m.Lit(`<article class="story`).When(p.Seen, ` seen`).Lit(`" id="p-`).Text(p.ID).Lit(`" aria-labelledby="t-`).Text(p.ID)
	m.Lit(`"><h`).Lit(level).Lit(` id="t-`).Text(p.ID)
	m.Lit(`">`).TitleLink(p).Lit(`</h`).Lit(level).Lit(`>`)
	storyFacts(m, page, p, withCommunity)
	m.Lit(`</article>`)
}

func storyFacts(m *ui.Markup, page *EditionPage, p *ui.PostItem, withCommunity bool) {
	m.Lit(`<p class="by">`)
	if withCommunity {
		m.Lit(`<a href="/c/`).Segment(p.Community).Lit(`">c/`).Text(p.Community).Lit(`</a>`)
		writeJoined(m, page, p.Community)
	}
	m.TimeAgo(p.CreatedAt, page.Now).Domain(p).CommentCount(p.URL, p.Comments)
	m.Lit(`<span title="`).Count(p.Votes.Score, "{} point|{} points").Lit(`">▲ `).Compact(p.Votes.Score).Lit(`</span>`)
	m.PostMarks(p).Tags(p.Tags).Lit(`</p>`)
}

// leadPicture writes the picture of the post that leads an edition. It writes nothing if the post has none or is marked. Screen readers
// skip it unless it has a description.
func leadPicture(m *ui.Markup, p *ui.PostItem) {
	source, alt := "", ""
	switch {
	case p.Gone() != "" || p.Warned || p.NSFW || p.Spoiler:
		return
	case len(p.Pictures) > 0:
		source, alt = p.Pictures[0].URL, p.Pictures[0].Alt
	case p.Picture:
		source = "/img/" + p.ID
	default:
		return
	}
	m.Lit(`<a class="plate" href="`).Text(p.URL).Lit(`"`)
	if alt == "" {
		m.Lit(` tabindex="-1" aria-hidden="true"`)
	}
	m.Lit(`><img src="`).Text(source).Lit(`" alt="`).Text(alt).Lit(`" decoding="async"></a>`)
}
