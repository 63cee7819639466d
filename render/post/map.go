package post

import (
	"strconv"
	"time"

	"plaza/locale"
	"plaza/render/ui"
)

// ThreadMap is an overview of a thread: when its comments were written, and a line for each of the first comments on the post.
type ThreadMap struct {
	Roots    []MapRoot
	Bars     []MapBar  // of equal parts of the time between From and To
	From, To time.Time // when the post and the last comment were written
	Visit    int       // the bar of the viewer's last visit; -1 for none
	More     *ui.More  // where the comments after Roots are; nil if there are none
}

// MapBar is how many comments were written in a part of the time. New counts only new ones that the page shows.
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
	m.Lit(`</h2><p class="muted">`).Count(p.Total, "{} comment|{} comments")
	if p.New > 0 {
		m.Dot().Lit(`<b class="new">`).Say("{} new", p.New).Lit(`</b>`)
	}
	m.Lit(`</p>`)
	bars(m, t, p.Now)
	m.Lit(`<ol>`)
	for i := range t.Roots {
		mapRoot(m, &t.Roots[i])
	}
	m.Lit(`</ol>`)
	if t.More != nil && t.More.Count > 0 {
		m.Lit(`<p><a href="`).Text(t.More.URL).Lit(`">`).Count(t.More.Count, "Show {} more comment|Show {} more comments").Lit(`</a></p>`)
	}
	m.Lit(`</nav>`)
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

// ticks draws replies. Each tick's position is relative to the one before, so that gzip finds repetitions.
func ticks(m *ui.Markup, replies []MapReply) {
	var paths [2][]byte // of replies that the viewer has seen, and of new ones
	var from [2]struct{ x, height int }
	for i, reply := range replies {
		kind := 0
		if reply.New {
			kind = 1
		}
		path, before, x, height := paths[kind], &from[kind], i*tickWidth, min(reply.Depth+1, 6)
		if len(path) == 0 {
			path, before.height = append(path, 'M'), 6
		} else {
			path = append(path, 'm')
		}
		path = strconv.AppendInt(path, int64(x-before.x), 10)
		path = strconv.AppendInt(append(path, ' '), int64(before.height), 10)
		paths[kind] = strconv.AppendInt(append(path, "v-"...), int64(height), 10)
		before.x, before.height = x, height
	}
	m.Lit(`<svg class="ticks" aria-hidden="true"><path d="`).Text(string(paths[0])).Lit(`"></path>`)
	if len(paths[1]) > 0 {
		m.Lit(`<path class="new" d="`).Text(string(paths[1])).Lit(`"></path>`)
	}
	m.Lit(`</svg>`)
}
