package admin

import (
	"net/http"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"plaza/data/schema"
	"plaza/data/site/health"
	"plaza/data/site/metrics"
	"plaza/data/wire/upstash"
	"plaza/locale"
	pages "plaza/render/admin"
	"plaza/render/ui"
	"plaza/worker/request"
)

// span is a period that /admin/health can show, in bars of one length.
type span struct {
	name   string // in the address; "" for the first
	label  locale.Text
	bars   int
	length time.Duration
}

var spans = []span{
	{"", "Last hour", 12, metrics.Span},
	{"day", "Last day", 24, time.Hour},
	{"month", "Last 30 days", 30, 24 * time.Hour},
}

// ShowHealth shows administrators the present state of the site, and what was counted in a span. If a database is unavailable it shows
// that; without the directory, which knows who is an administrator, there is no page.
func (h *Handlers) ShowHealth(c *request.Call) error {
	shown := spans[0]
	var p pages.HealthPage
	for _, s := range spans {
		address := request.HealthURL
		if s.name != "" {
			address += "?span=" + s.name
		}
		active := c.R.URL.Query().Get("span") == s.name
		if active {
			shown = s
		}
		p.Spans = append(p.Spans, ui.Tab{Label: s.label, URL: address, Active: active})
	}
	now := h.Metrics.Source.Now().UTC()
	first := now.Truncate(shown.length).Add(-time.Duration(shown.bars-1) * shown.length)
	r := c.ReadMerged()
	states, waiting := health.Find(r, h.DB, h.Source), health.FindBacklog(r, h.DB)
	counted, begun := h.Metrics.Find(r, first), h.Metrics.First(r)
	if err := c.Run(r); err != nil {
		return err
	}
	p.Frame = c.Frame("Health")
	bars := make([]*metrics.Batch, shown.bars)
	for i := range bars {
		bars[i] = &metrics.Batch{At: first.Add(time.Duration(i) * shown.length)}
	}
	p.New = begun.IsZero() || now.Sub(*begun) < newFor
	for _, b := range *counted {
		if i := int(b.At.Sub(first) / shown.length); i >= 0 && i < len(bars) {
			bars[i].Merge(b)
		}
		if b.Classes[metrics.Cron] == nil {
			continue
		}
		ran := b.At.Add(metrics.Span) // at the end of b, because it runs each minute
		if ran.After(now) {
			ran = now
		}
		if ran.After(p.Cron) {
			p.Cron = ran
		}
	}
	p.Charts, p.Schema, p.Build = charts(bars, h.DB.Replicated()), schema.Version, build()
	p.Databases, p.Redis = h.databases(states, waiting), h.redis(c)
	if m := states[0].Move; m != nil { // the directory's
		p.Move = &pages.MoveHealth{Community: m.Community, To: m.To, Begun: m.Begun}
	}
	return request.Show(c, http.StatusOK, pages.Health, p)
}

// newFor is after what time a new site has counts at the latest: instances write their counts every five minutes.
const newFor = 10 * time.Minute

// build names this program: the revision of its source, if the build knows it, and the version of Go.
var build = sync.OnceValue(func() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, setting := range info.Settings {
			if setting.Key == "vcs.revision" {
				return setting.Value[:min(len(setting.Value), 12)] + ", " + runtime.Version()
			}
		}
	}
	return runtime.Version()
})

// databases returns the states of all databases, as the page shows them.
func (h *Handlers) databases(states []*health.Database, waiting []health.Backlog) (list []pages.DatabaseHealth) {
	for i, state := range states {
		d := pages.DatabaseHealth{Name: state.Where.String(), Step: state.Step,
			Deltas: int64(waiting[i].Deltas), Outbox: int64(waiting[i].Outbox), Votes: state.Votes, Comments: state.Comments, Jobs: state.Jobs,
			Mails: state.Mails, DeadLetters: int64(state.DeadLetters)}
		if state.Err != nil {
			d.Error = state.Err.Error()
		}
		if h.DB.CircuitOpen(state.Where) {
			d.Error = "its breaker is open: it has let others wait in vain" // as its errors are: they are not translated
		}
		list = append(list, d)
	}
	return list
}

// redis returns whether Redis responds.
func (h *Handlers) redis(c *request.Call) (state pages.RedisHealth) {
	if h.Redis == nil {
		return pages.RedisHealth{None: true}
	}
	if _, err := h.Redis.Do(c.R.Context(), upstash.Cmd{"PING"}); err != nil {
		state.Error = err.Error()
	}
	return state
}

// charts returns all charts of the page. The one about replicas is only for sites that have some.
func charts(bars []*metrics.Batch, replicated bool) (list []pages.Chart) {
	add := func(title locale.Text, unit pages.Unit, stacked bool, series ...pages.Series) {
		c := pages.Chart{Title: title, Unit: unit, Stacked: stacked, Series: series}
		for _, b := range bars {
			c.Times = append(c.Times, b.At)
		}
		list = append(list, c)
	}
	series := func(label locale.Text, value func(*metrics.Batch) float64) pages.Series {
		s := pages.Series{Label: label}
		for _, b := range bars {
			s.Values = append(s.Values, value(b))
		}
		return s
	}
	count := func(label locale.Text, number func(*metrics.Counts) int64, classes ...metrics.Class) pages.Series {
		return series(label, func(b *metrics.Batch) float64 { return float64(number(b.Sum(classes...))) })
	}
	quantile := func(label locale.Text, share float64, classes ...metrics.Class) pages.Series {
		return series(label, func(b *metrics.Batch) float64 {
			times := b.Sum(classes...).Times
			if times.Count() == 0 {
				return -1
			}
			return float64(times.Quantile(share)) / float64(time.Millisecond)
		})
	}
	all := func(n *metrics.Counts) int64 { return n.Handled + n.Cached }
	handled := func(n *metrics.Counts) int64 { return n.Handled }
	pageClasses := []metrics.Class{metrics.Visitor, metrics.Member, metrics.JSON}

	add("Requests", pages.Count, true,
		count("Visitors, from the cache", func(n *metrics.Counts) int64 { return n.Cached }, metrics.Visitor),
		count("Visitors, made", handled, metrics.Visitor), count("Members", all, metrics.Member), count("Actions", all, metrics.Action),
		count("Programs and feeds", all, metrics.JSON, metrics.Feed), count("Pictures and other", all, metrics.Picture, metrics.Other))
	add("Answered by the edge cache", pages.Percent, false, series("Pages and feeds for visitors", func(b *metrics.Batch) float64 {
		n := b.Sum(metrics.Visitor, metrics.JSON, metrics.Feed)
		if all(n) == 0 {
			return -1
		}
		return 100 * float64(n.Cached) / float64(all(n))
	}))
	add("Time to make a page", pages.Milliseconds, false, quantile("Median", 0.5, pageClasses...),
		quantile("99th percentile", 0.99, pageClasses...))
	add("Time to carry out an action", pages.Milliseconds, false, quantile("Median", 0.5, metrics.Action),
		quantile("99th percentile", 0.99, metrics.Action))
	add("Wait in queues, 99th percentile", pages.Milliseconds, false,
		quantile("Votes and comments", 0.99, metrics.Votes), quantile("Events", 0.99, metrics.Events))
	add("Waiting in the databases", pages.Count, false,
		series("Votes and comments", func(b *metrics.Batch) float64 { return float64(b.Deltas) }),
		series("Outbox", func(b *metrics.Batch) float64 { return float64(b.Outbox) }))
	add("Rows read", pages.Count, true, byCause(count, func(n *metrics.Counts) int64 { return n.RowsRead })...)
	add("Rows written", pages.Count, true, byCause(count, func(n *metrics.Counts) int64 { return n.RowsWritten })...)
	add("Redis commands", pages.Count, true, byCause(count, func(n *metrics.Counts) int64 { return n.RedisCommands })...)
	if replicated {
		add("Answers of replicas", pages.Count, true,
			count("Taken", func(n *metrics.Counts) int64 { return n.ReplicaTaken }, metrics.Classes...),
			count("Behind the database", func(n *metrics.Counts) int64 { return n.ReplicaBehind }, metrics.Classes...),
			count("Missing or refused", func(n *metrics.Counts) int64 { return n.ReplicaFailed }, metrics.Classes...))
	}
	add("Errors", pages.Count, true,
		count("Time ran out", func(n *metrics.Counts) int64 { return n.Late }, metrics.Classes...),
		count("A breaker was open", func(n *metrics.Counts) int64 { return n.Refused }, metrics.Classes...),
		count("Other errors", func(n *metrics.Counts) int64 { return n.Failed - n.Late - n.Refused }, metrics.Classes...),
		count("Too many requests", func(n *metrics.Counts) int64 { return n.Limited }, metrics.Classes...))
	return list
}

// byCause returns the series of a number by what causes it.
func byCause(count func(locale.Text, func(*metrics.Counts) int64, ...metrics.Class) pages.Series,
	number func(*metrics.Counts) int64) []pages.Series {
	return []pages.Series{
		count("Visitors", number, metrics.Visitor), count("Members", number, metrics.Member), count("Actions", number, metrics.Action),
		count("Programs, feeds and pictures", number, metrics.JSON, metrics.Feed, metrics.Picture, metrics.Other),
		count("Queues", number, metrics.Votes, metrics.Events), count("Jobs", number, metrics.Background, metrics.Cron),
	}
}
