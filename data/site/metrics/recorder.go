package metrics

import (
	"sync"
	"time"

	"plaza/data"
)

// Span is how long an instance counts before it writes a row. An instance that is busy all day writes 288 rows.
const Span = 5 * time.Minute

// keptMax is how many batches an instance keeps if it can't write them. Older ones are dropped.
const keptMax = 12

// Recorder counts the work of one instance. It does no I/O. It is safe for concurrent use.
type Recorder struct {
	mu     sync.Mutex // never held across I/O
	open   *Batch     // nil before the first count
	closed []*Batch   // whose span is over, the oldest first
	id     data.ID    // of the instance in its rows; 0 before the first
	next   time.Time  // when to write again after a failed write; else zero
}

// instanceID returns the id of the instance. It is generated for the first row, because there are no random numbers at the start.
func (r *Recorder) instanceID(source data.Source) data.ID {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.id == 0 {
		r.id = source.NewID(0, data.KindOther)
	}
	return r.id
}

// Add calls f with the batch that includes the time now.
func (r *Recorder) Add(now time.Time, f func(*Batch)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.rotate(now)
	if r.open == nil {
		r.open = &Batch{At: now.UTC().Truncate(Span)}
	}
	f(r.open)
}

// AddEdge adds the counts of the shim.
func (r *Recorder) AddEdge(now time.Time, text string) {
	if text != "" {
		r.Add(now, func(b *Batch) { b.addEdge(text) })
	}
}

// rotate closes the open batch if its span is over. If the clock of an instance goes back, the batch stays open.
func (r *Recorder) rotate(now time.Time) {
	if r.open == nil || now.Sub(r.open.At) < Span {
		return
	}
	r.closed = append(r.closed, r.open)
	if len(r.closed) > keptMax {
		r.closed = r.closed[1:]
	}
	r.open = nil
}

// pause is how long an instance waits after a failed write.
const pause = time.Minute

// Due reports whether there is a batch whose span is over, and a minute has passed since the last failed write.
func (r *Recorder) Due(now time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.rotate(now)
	return len(r.closed) > 0 && !now.Before(r.next)
}

// take returns the batches whose span is over. Other calls don't get them until giveBack.
func (r *Recorder) take(now time.Time) []*Batch {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.rotate(now)
	batches := r.closed
	r.closed = nil
	return batches
}

// giveBack returns batches that could not be written now.
func (r *Recorder) giveBack(now time.Time, batches []*Batch) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.next = now.Add(pause)
	for _, b := range batches {
		b.tried = true
	}
	r.closed = append(batches, r.closed...)
	r.closed = r.closed[max(len(r.closed)-keptMax, 0):]
}

// Unsaved returns a copy of the counts that are not written yet.
func (r *Recorder) Unsaved() (list []*Batch) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, b := range r.closed {
		list = append(list, b.copy())
	}
	if r.open != nil {
		list = append(list, r.open.copy())
	}
	return list
}

func (b *Batch) copy() *Batch {
	c := &Batch{At: b.At}
	c.Merge(b)
	return c
}
