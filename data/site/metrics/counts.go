package metrics

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"plaza/data/wire/hrana"
	"plaza/data/wire/upstash"
)

// Class is a kind of work that is counted for itself.
type Class string

// The shim knows the first seven, too (worker/edge/shim/counts.mjs).
const (
	Visitor    Class = "visitor" // pages for visitors
	Member     Class = "member"  // pages for members and their programs, and private feeds
	Action     Class = "action"  // what changes something
	JSON       Class = "json"    // pages that programs of visitors read
	Feed       Class = "feed"    // public feeds, sitemaps, robots.txt
	Picture    Class = "picture"
	Other      Class = "other"      // /healthz and addresses that are no page
	Votes      Class = "votes"      // messages of the queue of votes
	Events     Class = "events"     // messages of the queue of events
	Background Class = "background" // work after an answer
	Cron       Class = "cron"
)

// Classes are all classes, in the order in which they are shown.
var Classes = []Class{Visitor, Member, Action, JSON, Feed, Picture, Other, Votes, Events, Background, Cron}

// Requests are the classes of requests.
var Requests = Classes[:7]

// Counts are what was counted of a class.
type Counts struct {
	Made    int64 `json:"made,omitempty"`    // requests or messages that Go has handled
	Cached  int64 `json:"cached,omitempty"`  // requests that the edge has answered without Go
	Stale   int64 `json:"stale,omitempty"`   // of Cached, by a copy that was older than it should be
	Limited int64 `json:"limited,omitempty"` // answered by 429
	Failed  int64 `json:"failed,omitempty"`  // answered by 500 or more, or a message that comes again
	Late    int64 `json:"late,omitempty"`    // of Failed, because time ran out
	Refused int64 `json:"refused,omitempty"` // of Failed, because the breaker of a database did not let them wait

	RowsRead      int64     `json:"rows_read,omitempty"`
	RowsWritten   int64     `json:"rows_written,omitempty"`
	RedisCommands int64     `json:"redis_commands,omitempty"`
	ReplicaTaken  int64     `json:"replica_taken,omitempty"`  // answers of replicas
	ReplicaBehind int64     `json:"replica_behind,omitempty"` // answers that were thrown away, because the replica was behind
	ReplicaFailed int64     `json:"replica_failed,omitempty"` // answers that did not come, or refused a statement
	Times         Histogram `json:"times,omitempty"`          // of a request until its answer, of a message from its sending to its handling
}

// Merge adds what was counted elsewhere.
func (c *Counts) Merge(o *Counts) {
	c.Made += o.Made
	c.Cached += o.Cached
	c.Stale += o.Stale
	c.Limited += o.Limited
	c.Failed += o.Failed
	c.Late += o.Late
	c.Refused += o.Refused
	c.RowsRead += o.RowsRead
	c.RowsWritten += o.RowsWritten
	c.RedisCommands += o.RedisCommands
	c.ReplicaTaken += o.ReplicaTaken
	c.ReplicaBehind += o.ReplicaBehind
	c.ReplicaFailed += o.ReplicaFailed
	c.Times.Merge(o.Times)
}

// AddFailure counts something that failed, by its cause.
func (c *Counts) AddFailure(cause error) {
	c.Failed++
	var timeout interface{ Timeout() bool }
	switch {
	case hrana.IsResting(cause):
		c.Refused++
	case errors.As(cause, &timeout) && timeout.Timeout():
		c.Late++
	}
}

// AddCost adds what meters have counted.
func (c *Counts) AddCost(rows *hrana.Meter, commands *upstash.Meter) {
	c.RowsRead += rows.RowsRead()
	c.RowsWritten += rows.RowsWritten()
	c.RedisCommands += int64(commands.Commands())
	taken, behind, failed := rows.Replicas()
	c.ReplicaTaken += taken
	c.ReplicaBehind += behind
	c.ReplicaFailed += failed
}

// Batch is what was counted in a span of time.
type Batch struct {
	At      time.Time         `json:"-"` // when the span began
	Classes map[Class]*Counts `json:"classes,omitempty"`
	// The most that waited at a time: differences of votes and comments, and work in the outboxes of all databases.
	Deltas int64 `json:"deltas,omitempty"`
	Outbox int64 `json:"outbox,omitempty"`

	reported bool // Analytics has got it
	tried    bool // a write has failed that may have been carried out
}

// Of returns the counts of a class, which can be changed.
func (b *Batch) Of(class Class) *Counts {
	if b.Classes == nil {
		b.Classes = map[Class]*Counts{}
	}
	c := b.Classes[class]
	if c == nil {
		c = &Counts{}
		b.Classes[class] = c
	}
	return c
}

// Merge adds another batch to this one.
func (b *Batch) Merge(o *Batch) {
	for class, counts := range o.Classes {
		if counts != nil { // a row of the database may have null
			b.Of(class).Merge(counts)
		}
	}
	b.Deltas, b.Outbox = max(b.Deltas, o.Deltas), max(b.Outbox, o.Outbox)
}

// Sum adds up some classes.
func (b *Batch) Sum(classes ...Class) *Counts {
	sum := &Counts{}
	for _, class := range classes {
		if c := b.Classes[class]; c != nil {
			sum.Merge(c)
		}
	}
	return sum
}

// edgeMost bounds a number that the shim says.
const edgeMost = 1_000_000_000

// addEdge adds what the shim has counted, such as "visitor.cached=12 picture.cached=3" (worker/edge/shim/counts.mjs).
func (b *Batch) addEdge(text string) {
	for field := range strings.FieldsSeq(text) {
		name, number, _ := strings.Cut(field, "=")
		class, what, _ := strings.Cut(name, ".")
		n, err := strconv.ParseInt(number, 10, 64)
		if err != nil || n < 0 || n > edgeMost || !isRequest(Class(class)) {
			continue
		}
		c := b.Of(Class(class))
		switch what {
		case "made":
			c.Made += n
		case "cached":
			c.Cached += n
		case "stale":
			c.Stale += n
		case "failed":
			c.Failed += n
		case "late":
			c.Late += n
		}
	}
}

func isRequest(class Class) bool {
	for _, of := range Requests {
		if class == of {
			return true
		}
	}
	return false
}
