package metrics

import (
	"sync"
	"time"

	"plaza/data"
)

// Span is how long an instance counts before it writes a row. An instance that is busy all day writes 288 rows.
const Span = 5 * time.Minute

// keptMost is how many batches an instance keeps if it can't write them. Older ones are dropped.
const keptMost = 12

// Recorder counts the work of one instance. It does no I/O. It is safe for concurrent use.
type Recorder struct {
	mu   sync.Mutex // never held across I/O
	open *Batch     // nil before the first count
	over []*Batch   // whose span is over, the oldest first
	id   data.ID    // of the instance in its rows; 0 before the first
	next time.Time  // no batch is due before; zero unless a write has failed
}

// name returns the id of the instance. It is drawn for the first row, because there are no random numbers at the start.
func (r *Recorder) name(source data.Source) data.ID {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.id == 0 {
		r.id = source.NewID(0, data.KindOther)
	}
	return r.id
}

// Add calls f with the batch of a time.
func (r *Recorder) Add(now time.Time, f func(*Batch)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.turn(now)
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

// turn closes the open batch if its span is over. If the clock of an instance goes back, the batch stays open.
func (r *Recorder) turn(now time.Time) {
	if r.open == nil || now.Sub(r.open.At) < Span {
		return
	}
	r.over = append(r.over, r.open)
	if len(r.over) > keptMost {
		r.over = r.over[1:]
	}
	r.open = nil
}

// pause is how long an instance waits after a failed write.
const pause = time.Minute

// Due reports whether there is a batch whose span is over, and a minute has passed since the last failed write.
func (r *Recorder) Due(now time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.turn(now)
	return len(r.over) > 0 && !now.Before(r.next)
}

// take returns the batches whose span is over. Other calls don't get them until giveBack.
func (r *Recorder) take(now time.Time) []*Batch {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.turn(now)
	over := r.over
	r.over = nil
	return over
}

// giveBack returns batches that could not be written now.
func (r *Recorder) giveBack(now time.Time, batches []*Batch) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.next = now.Add(pause)
	for _, b := range batches {
		b.tried = true
	}
	r.over = append(batches, r.over...)
	r.over = r.over[max(len(r.over)-keptMost, 0):]
}

// Unsaved returns a copy of the counts that are not written yet.
func (r *Recorder) Unsaved() (list []*Batch) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, b := range r.over {
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
