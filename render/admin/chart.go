package admin

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/render/ui"
)

// Chart is a small chart over time, with its numbers in a table.
type Chart struct {
	Title   locale.Text
	Unit    Unit
	Stacked bool // stacked bars; otherwise lines
	Series  []Series
	Times   []time.Time // when the span of each value began
}

// Series is one line or one kind of bars of a chart.
type Series struct {
	Label  locale.Text
	Values []float64 // one for each time; a negative one is unknown
}

// Unit is what the numbers of a chart count.
type Unit string

const (
	Count        Unit = "count"
	Percent      Unit = "percent"
	Milliseconds Unit = "ms"
)

// Size of a chart, in the units of its viewBox. The numbers of the axis are in the left margin, the times below.
const (
	chartWidth, chartHeight = 320.0, 124.0
	chartLeft, chartTop     = 40.0, 6.0
	chartBottom             = 104.0 // where 0 is
	chartMark               = 6.0   // width of a value without neighbours
	chartName               = 12.0  // height of the name of a line
)

// draw renders a chart. n is its number on the page.
func (c Chart) draw(n int, now time.Time) g.Node {
	if len(c.Times) == 0 {
		return nil
	}
	id := "chart-" + strconv.Itoa(n)
	top := c.top()
	return h.Figure(h.Class("chart"),
		h.FigCaption(h.H2(h.ID(id), ui.T(c.Title))),
		g.El("svg", g.Attr("viewBox", fmt.Sprintf("0 0 %v %v", chartWidth, chartHeight)), h.Role("img"),
			g.Attr("aria-labelledby", id), g.Attr("aria-describedby", id+"-d"),
			g.El("desc", h.ID(id+"-d"), ui.T("From {} to {}.", c.moment(c.Times[0], now), c.moment(c.Times[len(c.Times)-1], now)),
				g.Map(c.Series, func(s Series) g.Node {
					return g.Group{g.Text(" "), ui.T("{}: at most {}.", ui.T(s.Label), c.number(s.highest()))}
				})),
			c.axis(top), c.shapes(top), g.If(!c.Stacked, c.names(top)),
			label(chartLeft, chartHeight-4, "start", c.moment(c.Times[0], now)),
			label(chartWidth, chartHeight-4, "end", c.moment(c.Times[len(c.Times)-1], now)),
		),
		g.If(c.Stacked, h.Ul(h.Class("key"), g.Map(numbered(c.Series), func(s numberedSeries) g.Node {
			return h.Li(g.El("svg", h.Class("c"+strconv.Itoa(s.n)), g.Attr("viewBox", "0 0 10 10"), g.Attr("aria-hidden", "true"),
				g.El("path", g.Attr("d", "M0 0h10v10H0z"))), ui.T(s.Label))
		}))),
		h.Details(h.Summary(ui.T("As a table")), c.table(now)),
	)
}

type numberedSeries struct {
	Series
	n int
}

func numbered(list []Series) (all []numberedSeries) {
	for i, s := range list {
		all = append(all, numberedSeries{s, i + 1})
	}
	return all
}

// value is the value of time i; -1 if it is unknown.
func (s Series) value(i int) float64 {
	if i < len(s.Values) {
		return s.Values[i]
	}
	return -1
}

func (s Series) highest() (value float64) {
	for _, v := range s.Values {
		value = max(value, v)
	}
	return value
}

// top is the number at the top of the axis: 2, 4 or 10 times a power of ten, so that half of it is a whole number.
func (c Chart) top() float64 {
	highest := 0.0
	for i := range c.Times {
		sum := 0.0
		for _, s := range c.Series {
			v := max(s.value(i), 0)
			if sum += v; !c.Stacked {
				sum = v
			}
			highest = max(highest, sum)
		}
	}
	if c.Unit == Percent {
		return 100
	}
	top := math.Pow10(int(math.Floor(math.Log10(max(highest, 1)))))
	for _, step := range []float64{2, 4, 10} {
		if step*top >= highest {
			return step * top
		}
	}
	return 20 * top
}

// height is the height of a value above the bottom.
func height(v, top float64) float64 { return max(v, 0) / top * (chartBottom - chartTop) }

func (c Chart) axis(top float64) g.Node {
	var lines strings.Builder
	for _, v := range []float64{0, top / 2, top} {
		fmt.Fprintf(&lines, "M%v %.1fH%v", chartLeft, chartBottom-height(v, top), chartWidth)
	}
	mark := func(v float64) g.Node {
		number := c.number(v)
		if c.Unit == Milliseconds && v >= 1000 { // there is no room for five characters; it is a whole number of seconds
			number = ui.T("{} s", int64(v/1000))
		}
		return label(chartLeft-4, chartBottom-height(v, top)+4, "end", number)
	}
	return g.Group{g.El("path", h.Class("grid"), g.Attr("d", lines.String())), mark(0), mark(top / 2), mark(top)}
}

func label(x, y float64, anchor string, words g.Node) g.Node {
	return g.El("text", g.Attr("x", strconv.FormatFloat(x, 'f', 1, 64)), g.Attr("y", strconv.FormatFloat(y, 'f', 1, 64)),
		g.Attr("text-anchor", anchor), words)
}

// shapes are the bars or lines, one path for each series.
func (c Chart) shapes(top float64) g.Node {
	step := (chartWidth - chartLeft) / float64(len(c.Times))
	bottoms := make([]float64, len(c.Times)) // heights of the bars below
	return g.Map(numbered(c.Series), func(s numberedSeries) g.Node {
		var d strings.Builder
		pen := "M"
		for i := range c.Times {
			v := s.value(i)
			x := chartLeft + float64(i)*step
			switch {
			case v < 0:
				pen = "M"
			case !c.Stacked:
				middle, y := x+step/2, chartBottom-height(v, top)
				if pen == "M" && (i+1 == len(c.Times) || s.value(i+1) < 0) { // a line of no length would not show
					fmt.Fprintf(&d, "M%.1f %.1fh%.1f", middle-chartMark/2, y, chartMark)
				} else {
					fmt.Fprintf(&d, "%s%.1f %.1f", pen, middle, y)
				}
				pen = "L"
			case v > 0:
				fmt.Fprintf(&d, "M%.1f %.1fh%.1fv-%.1fh-%.1fz", x+step*.1, chartBottom-bottoms[i], step*.8, height(v, top), step*.8)
				bottoms[i] += height(v, top)
			}
		}
		class := "c"
		if !c.Stacked {
			class = "line c"
		}
		return g.El("path", h.Class(class+strconv.Itoa(s.n)), g.Attr("d", d.String()))
	})
}

// newest is the newest value that is known; -1 if none is.
func (s Series) newest() float64 {
	for _, v := range slices.Backward(s.Values) {
		if v >= 0 {
			return v
		}
	}
	return -1
}

// names are the names of the lines with their newest values, each above the end of its line. The names of lines that end close to each
// other are in the order of the lines.
func (c Chart) names(top float64) g.Node {
	list := numbered(c.Series)
	slices.SortStableFunc(list, func(a, b numberedSeries) int { return cmp.Compare(b.newest(), a.newest()) })
	ys, free := make([]float64, len(list)), chartBottom-4
	for i, s := range slices.Backward(list) {
		ys[i] = min(chartBottom-height(s.newest(), top)-4, free)
		free = ys[i] - chartName
	}
	free = chartTop + chartName
	for i := range ys {
		ys[i] = max(ys[i], free)
		free = ys[i] + chartName
	}
	var names g.Group
	for i, s := range list {
		names = append(names, label(chartWidth, ys[i], "end", g.Group{
			g.El("tspan", h.Class("c"+strconv.Itoa(s.n)), g.Text("■")), g.Text(" "), ui.T(s.Label), g.Text(" "), c.number(s.newest())}))
	}
	return g.El("g", h.Class("names"), names)
}

// moment is a time at the axis: a day if there is one value a day, else hours and minutes in the reader's time zone.
func (c Chart) moment(t, now time.Time) g.Node {
	if len(c.Times) > 1 && c.Times[1].Sub(c.Times[0]) >= 24*time.Hour {
		return ui.T(locale.With("{}", locale.Day(t)))
	}
	return g.Text(t.In(now.Location()).Format("15:04"))
}

func (c Chart) number(v float64) g.Node {
	switch {
	case v < 0:
		return g.Text("–")
	case c.Unit == Percent:
		return ui.T("{} %", int64(math.Round(v)))
	case c.Unit == Milliseconds && v >= 10_000:
		return ui.T("{} s", int64(math.Round(v/1000)))
	case c.Unit == Milliseconds:
		return ui.T("{} ms", int64(math.Round(v)))
	}
	return ui.Component(func(m *ui.Markup) { m.Compact(int64(math.Round(v))) })
}

// table has all numbers, the newest first.
func (c Chart) table(now time.Time) g.Node {
	rows := make([]int, len(c.Times))
	for i := range rows {
		rows[i] = len(rows) - 1 - i
	}
	return h.Div(h.Class("tb"), h.TabIndex("0"), h.Role("region"), ui.Attr("aria-label", c.Title), h.Table(
		h.THead(h.Tr(h.Th(h.Scope("col"), ui.T("Time")), g.Map(c.Series, func(s Series) g.Node {
			return h.Th(h.Scope("col"), ui.T(s.Label))
		}))),
		h.TBody(g.Map(rows, func(i int) g.Node {
			return h.Tr(h.Th(h.Scope("row"), c.moment(c.Times[i], now)),
				g.Map(c.Series, func(s Series) g.Node { return h.Td(c.number(s.value(i))) }))
		})),
	))
}
