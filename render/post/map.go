package post

import (
	"strconv"
	"time"

	"plaza/locale"
	"plaza/render/ui"
)

// ThreadMap is an overview of the comments that a page shows: when they were written, and a line for each comment on the post.
type ThreadMap struct {
	Roots    []MapRoot
	Bars     []MapBar  // of equal parts of the time from From to To
	From, To time.Time // when the first and the newest comment were written
	Visit    int       // the bar of the viewer's last visit between the two; -1 for none
}

// MapBar is how many comments were written in a part of the time.
type MapBar struct {
	All, New int
}

// MapRoot is a comment on the post.
type MapRoot struct {
	ID      string
	Author  string // "" if it is deleted, or by somebody whom the viewer blocks
	Score   int64
	Words   string      // the first ones
	State   locale.Text // in place of the words of a comment that is removed, deleted, or by somebody whom the viewer blocks
	Replies []MapReply
}

// MapReply is a reply below a root, in the order of the page.
type MapReply struct {
	Depth int // 1 for a direct reply
	New   bool
}

// threadMap writes the map of a thread. It is a list of links in the right column, or on narrow screens a sheet that the bar's button
// opens.
func threadMap(m *ui.Markup, p *PostPage) {
	t := p.Map
	m.Lit(`<nav id="map" class="map card" popover aria-labelledby="map-title"><h2 id="map-title">`).Say("Overview")
	m.Lit(`</h2><p class="muted">`)
	shown := int64(len(t.Roots))
	for i := range t.Roots {
		shown += int64(len(t.Roots[i].Replies))
	}
	if shown < p.Total {
		m.Say("{} of {}", shown, ui.Component(func(m *ui.Markup) { m.Count(p.Total, "{} comment|{} comments") }))
	} else {
		m.Count(p.Total, "{} comment|{} comments")
	}
	if p.New > 0 {
		m.Dot().Lit(`<b class="new">`).Say("{} new", p.New).Lit(`</b>`)
	}
	m.Lit(`</p>`)
	bars(m, t, p.Now)
	m.Lit(`<ol>`)
	for i := range t.Roots {
		mapRoot(m, &t.Roots[i])
	}
	m.Lit(`</ol></nav>`)
}

// Sizes of drawings, in pixels.
const (
	barWidth, barsHeight = 6, 32
	tickWidth            = 4
	maxTicks             = 60 // of one root
)

// bars draws how many comments were written when. The newest are at the right end.
func bars(m *ui.Markup, t *ThreadMap, now time.Time) {
	most := 1
	for _, bar := range t.Bars {
		most = max(most, bar.All)
	}
	column := func(path []byte, i, n int) []byte {
		height := max((n*barsHeight+most-1)/most, 1)
		path = strconv.AppendInt(append(path, 'M'), int64(i*barWidth), 10)
		path = append(path, ' ')
		path = strconv.AppendInt(path, barsHeight, 10)
		path = strconv.AppendInt(append(path, 'v', '-'), int64(height), 10)
		path = append(path, "h5v"...)
		return strconv.AppendInt(path, int64(height), 10)
	}
	var all, fresh []byte
	for i, bar := range t.Bars {
		if bar.All > 0 {
			all = column(all, i, bar.All)
		}
		if bar.New > 0 {
			fresh = column(fresh, i, bar.New)
		}
	}
	m.Lit(`<svg class="bars" viewBox="0 0 `).Text(strconv.Itoa(len(t.Bars) * barWidth)).
		Lit(` 32" preserveAspectRatio="none" aria-hidden="true">`)
	m.Lit(`<path d="`).Text(string(all)).Lit(`"></path>`)
	if len(fresh) > 0 {
		m.Lit(`<path class="new" d="`).Text(string(fresh)).Lit(`"></path>`)
	}
	if t.Visit >= 0 {
		m.Lit(`<path class="visit" d="M`).Text(strconv.Itoa(t.Visit * barWidth)).Lit(` 0v32"></path>`)
	}
	m.Lit(`</svg><p class="span"><span>`).Since(t.From, now).Lit(`</span>`)
	if t.Visit >= 0 {
		m.Lit(`<span>`).Say("Line: your last visit").Lit(`</span>`)
	}
	m.Lit(`<span>`).Since(t.To, now).Lit(`</span></p>`)
}

// mapRoot writes the line of a root: its score, who wrote it, its first words, and a tick for each reply, higher the deeper it is.
func mapRoot(m *ui.Markup, r *MapRoot) {
	m.Lit(`<li><a href="#c-`).Text(r.ID).Lit(`"><b>`).Compact(r.Score).Lit(`</b> <span>`)
	if r.Author != "" {
		m.Lit(`<bdi>`).Text(r.Author).Lit(`</bdi> `)
	}
	if r.State != "" {
		m.Say(r.State)
	} else {
		m.Text(r.Words)
	}
	m.Lit(`</span>`)
	if len(r.Replies) > 0 {
		ticks(m, r.Replies[:min(len(r.Replies), maxTicks)])
	}
	m.Lit(`</a></li>`)
}

func ticks(m *ui.Markup, replies []MapReply) {
	var all, fresh []byte
	for i, reply := range replies {
		path := &all
		if reply.New {
			path = &fresh
		}
		*path = strconv.AppendInt(append(*path, 'M'), int64(i*tickWidth), 10)
		*path = append(*path, " 6v-"...)
		*path = strconv.AppendInt(*path, int64(min(reply.Depth+1, 6)), 10)
	}
	m.Lit(`<svg class="ticks" width="`).Text(strconv.Itoa(len(replies) * tickWidth)).Lit(`" height="6" aria-hidden="true">`)
	m.Lit(`<path d="`).Text(string(all)).Lit(`"></path>`)
	if len(fresh) > 0 {
		m.Lit(`<path class="new" d="`).Text(string(fresh)).Lit(`"></path>`)
	}
	m.Lit(`</svg>`)
}
