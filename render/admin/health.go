package admin

import (
	"strconv"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/render/ui"
)

// HealthPage is /admin/health: how the parts of the site are now, and what was counted.
type HealthPage struct {
	ui.Frame
	Databases []DatabaseHealth
	Redis     RedisHealth
	Move      *MoveHealth // nil if no move waits
	Cron      time.Time   // when the job of each minute ran, to five minutes; zero if it did not in the span shown
	New       bool        // nothing was counted before the last ten minutes, so the job may have run without being counted yet
	Schema    int         // the step that this build needs
	Build     string      // names the program: the revision of its source, the version of Go
	Spans     []ui.Tab
	Charts    []Chart
}

// DatabaseHealth is the state of one database.
type DatabaseHealth struct {
	Name        string
	Error       string // why it can't be used; "" if it can
	Step        int    // of the schema
	Deltas      int64  // votes and comments that are not counted yet; at most 1,000 of each, and of Outbox
	Outbox      int64
	Votes       time.Duration // how long the oldest vote waits; this and the next are 0 if nothing waits
	Comments    time.Duration
	Jobs        time.Duration // by how much the oldest job is overdue
	Mails       time.Duration // by how much the oldest mail is overdue
	DeadLetters int64
}

// MoveHealth is an unfinished move of a community to another shard.
type MoveHealth struct {
	Community string
	To        int // the number of the shard
	Begun     time.Time
}

// RedisHealth is the state of Redis.
type RedisHealth struct {
	None  bool   // the site has none
	Error string // "" if it responds
}

// Health is the page of a HealthPage.
func Health(p HealthPage) g.Node {
	return ui.AdminPage(p.Frame, "/admin/health", sheet(),
		h.H1(ui.T("Health")),
		h.Ul(h.Class("rows"),
			g.Map(p.Databases, func(d DatabaseHealth) g.Node { return databaseHealth(d, p.Schema) }),
			redisHealth(p.Redis),
			moveHealth(p.Move, p.Now),
			cronHealth(p),
			ui.Row(h.Strong(ui.T("Build")), g.Group{g.Text(p.Build), ui.Dot, ui.T("schema {}", strconv.Itoa(p.Schema))}, nil),
		),
		ui.Tabs("Time shown", p.Spans),
		h.P(h.Class("muted"), ui.T("The newest numbers are incomplete, because each instance writes its own every five minutes.")),
		h.Div(h.Class("charts"), g.Group(charts(p))),
	)
}

func charts(p HealthPage) (list []g.Node) {
	for i, c := range p.Charts {
		list = append(list, c.draw(i+1, p.Now))
	}
	return list
}

// part is a line about a part of the site: its name, whether it works, and details.
func part(ok bool, name locale.Text, says ...g.Node) g.Node {
	if !ok {
		return partIn("mark bad", "failing", name, says...)
	}
	return partIn("mark op", "OK", name, says...)
}

func partIn(class string, state, name locale.Text, says ...g.Node) g.Node {
	return ui.Row(h.Strong(ui.T(name)), g.Group{h.Span(h.Class(class), ui.T(state)), g.Text(" "), g.Group(says)}, nil)
}

func redisHealth(r RedisHealth) g.Node {
	if r.None {
		return part(true, "Redis", ui.T("The site has none."))
	}
	return part(r.Error == "", "Redis", g.Text(r.Error))
}

func moveHealth(m *MoveHealth, now time.Time) g.Node {
	if m == nil {
		return nil
	}
	to := strconv.Itoa(m.To)
	return part(false, "Move", ui.T("{} has been moving to shard {} since {}, and nobody can write in it meanwhile. If the command was "+
		"ended, go on with: {}", m.Community, to, ui.Since(m.Begun, now), h.Code(g.Text("plaza shards move "+m.Community+" "+to))))
}

func cronHealth(p HealthPage) g.Node {
	const name = "Job of each minute"
	switch {
	case !p.Cron.IsZero():
		return part(true, name, ui.T("ran {}", ui.Since(p.Cron, p.Now)))
	case p.New:
		return partIn("mark", "not counted yet", name, ui.T("Look again in ten minutes."))
	}
	return part(false, name, ui.T("has not run in this time"))
}

func databaseHealth(d DatabaseHealth, schema int) g.Node {
	var says []g.Node
	say := func(nodes ...g.Node) {
		if len(says) > 0 {
			says = append(says, ui.Dot)
		}
		says = append(says, nodes...)
	}
	if d.Error != "" {
		say(g.Text(d.Error))
	}
	if d.Error == "" && d.Step < schema {
		say(ui.T("schema {} of {}", strconv.Itoa(d.Step), strconv.Itoa(schema)))
	}
	if d.Error == "" {
		say(ui.T("{} vote or comment not counted yet|{} votes and comments not counted yet", d.Deltas))
		say(ui.T("{} task in the outbox|{} tasks in the outbox", d.Outbox))
	}
	for _, wait := range []struct {
		age  time.Duration
		says locale.Text
	}{{d.Votes, "oldest vote: {}"}, {d.Comments, "oldest comment: {}"}, {d.Jobs, "work overdue: {}"}, {d.Mails, "mails overdue: {}"}} {
		if wait.age > 0 {
			say(ui.T(wait.says, waited(wait.age)))
		}
	}
	if d.DeadLetters > 0 {
		say(h.A(h.Href("/admin/dead-letters"), ui.T("{} dead letter|{} dead letters", d.DeadLetters)))
	}
	return part(d.Error == "" && d.Step >= schema, locale.Verbatim(d.Name), says...)
}

// waited is a duration in seconds or minutes.
func waited(d time.Duration) g.Node {
	if d >= 2*time.Minute {
		return ui.T("{} min", int64(d/time.Minute))
	}
	return ui.T("{} s", int64(d/time.Second))
}
