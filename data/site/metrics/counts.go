package metrics

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"plaza/data/wire/hrana"
	"plaza/data/wire/upstash"
)

// Class is a kind of work with its own counts.
type Class string

// The shim also has the first seven (worker/edge/shim/counts.mjs).
const (
	Visitor    Class = "visitor" // pages for visitors
	Member     Class = "member"  // pages for members and API clients, and private feeds
	Action     Class = "action"  // requests that change something
	JSON       Class = "json"    // pages as JSON, for programs of visitors
	Feed       Class = "feed"    // public feeds, sitemaps, robots.txt
	Picture    Class = "picture"
	Other      Class = "other"      // /healthz and addresses without a page
	Votes      Class = "votes"      // messages of the queue of votes
	Events     Class = "events"     // messages of the queue of events
	Background Class = "background" // work after a response
	Cron       Class = "cron"
)

// Classes are all classes, in the order of the page.
var Classes = []Class{Visitor, Member, Action, JSON, Feed, Picture, Other, Votes, Events, Background, Cron}

// Requests are the classes of requests.
var Requests = Classes[:7]

// Counts are the counts of a class.
type Counts struct {
	Handled int64 `json:"made,omitempty"`    // requests or messages that Go has handled
	Cached  int64 `json:"cached,omitempty"`  // responses by the edge without Go
	Stale   int64 `json:"stale,omitempty"`   // of Cached, from a copy that was too old
	Limited int64 `json:"limited,omitempty"` // responses with status 429
	Failed  int64 `json:"failed,omitempty"`  // responses with status 500 or more, or failed messages, which are delivered again
	Late    int64 `json:"late,omitempty"`    // of Failed, because of a timeout
	Refused int64 `json:"refused,omitempty"` // of Failed, because a database's circuit breaker refused the call

	RowsRead      int64     `json:"rows_read,omitempty"`
	RowsWritten   int64     `json:"rows_written,omitempty"`
	RedisCommands int64     `json:"redis_commands,omitempty"`
	ReplicaTaken  int64     `json:"replica_taken,omitempty"`  // responses of replicas
	ReplicaBehind int64     `json:"replica_behind,omitempty"` // responses that were dropped, because the replica was behind
	ReplicaFailed int64     `json:"replica_failed,omitempty"` // failures and refused statements
	Times         Histogram `json:"times,omitempty"`          // of a request until its response, of a message from its sending to its handling
}

// Merge adds other counts.
func (c *Counts) Merge(o *Counts) {
	c.Handled += o.Handled
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

// AddFailure counts a failure, by its cause.
func (c *Counts) AddFailure(cause error) {
	c.Failed++
	var timeout interface{ Timeout() bool }
	switch {
	case hrana.IsCircuitOpen(cause):
		c.Refused++
	case errors.As(cause, &timeout) && timeout.Timeout():
		c.Late++
	}
}

// AddCost adds the counts of meters.
func (c *Counts) AddCost(rows *hrana.Meter, commands *upstash.Meter) {
	c.RowsRead += rows.RowsRead()
	c.RowsWritten += rows.RowsWritten()
	c.RedisCommands += int64(commands.Commands())
	taken, behind, failed := rows.Replicas()
	c.ReplicaTaken += taken
	c.ReplicaBehind += behind
	c.ReplicaFailed += failed
}

// Batch is the counts of a span of time.
type Batch struct {
	At      time.Time         `json:"-"` // when the span began
	Classes map[Class]*Counts `json:"classes,omitempty"`
	// The maximum that waited: deltas of votes and comments, and jobs in the outboxes of all databases.
	Deltas int64 `json:"deltas,omitempty"`
	Outbox int64 `json:"outbox,omitempty"`

	reported bool // it was sent to Analytics
	tried    bool // a write has failed that may have committed
}

// Of returns a pointer to the counts of a class.
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

// edgeMax limits a number from the shim.
const edgeMax = 1_000_000_000

// addEdge adds the counts of the shim, such as "visitor.cached=12 picture.cached=3" (worker/edge/shim/counts.mjs).
func (b *Batch) addEdge(text string) {
	for field := range strings.FieldsSeq(text) {
		name, number, _ := strings.Cut(field, "=")
		class, what, _ := strings.Cut(name, ".")
		n, err := strconv.ParseInt(number, 10, 64)
		if err != nil || n < 0 || n > edgeMax || !isRequest(Class(class)) {
			continue
		}
		c := b.Of(Class(class))
		switch what {
		case "made":
			c.Handled += n
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

func isRequest(class Class) bool { return slices.Contains(Requests, class) }
