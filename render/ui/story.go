package ui

import "time"

// Story writes a post of an edition: its headline and a line of facts. level is that of the heading. Without place, the community is left
// out: the section says it.
func (m *Markup) Story(p *PostItem, now time.Time, level Literal, place bool) *Markup {
	m.Lit(`<article class="story`).When(p.Seen, seenClass).Lit(`" aria-labelledby="t-`).Text(p.ID).Lit(`"><h`).Lit(level).Lit(` id="t-`).Text(p.ID)
	m.Lit(`">`).titleLink(p).Lit(`</h`).Lit(level).Lit(`>`)
	return m.storyFacts(p, now, place).Lit(`</article>`)
}

func (m *Markup) storyFacts(p *PostItem, now time.Time, place bool) *Markup {
	m.Lit(`<p class="by">`)
	if place {
		m.Lit(`<a href="/c/`).Segment(p.Community).Lit(`">c/`).Text(p.Community).Lit(`</a>`)
	}
	m.TimeAgo(p.CreatedAt, now).Domain(p).CommentCount(p.URL, p.Comments)
	m.Lit(`<span title="`).Count(p.Votes.Score, "{} point|{} points").Lit(`">▲ `).Compact(p.Votes.Score).Lit(`</span>`)
	return m.Lit(`</p>`)
}

// Plate writes the picture of the post that leads an edition, as wide as its column; nothing without one. Screen readers leave it out,
// unless it has a description.
func (m *Markup) Plate(p *PostItem) *Markup {
	source, alt := "", ""
	switch {
	case p.Gone() != "" || p.Warned || p.NSFW || p.Spoiler:
		return m
	case len(p.Pictures) > 0:
		source, alt = p.Pictures[0].URL, p.Pictures[0].Alt
	case p.Picture:
		source = "/img/" + p.ID
	default:
		return m
	}
	m.Lit(`<a class="plate" href="`).Text(p.URL).Lit(`"`)
	if alt == "" {
		m.Lit(` tabindex="-1" aria-hidden="true"`)
	}
	return m.Lit(`><img src="`).Text(source).Lit(`" alt="`).Text(alt).Lit(`" decoding="async"></a>`)
}
