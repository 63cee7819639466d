package pictures

import (
	"context"
	"errors"
	"sort"
	"sync"
	"time"
)

// Memory is a bucket for tests. It stores objects without their bytes.
type Memory struct {
	mu      sync.Mutex
	objects map[string]Object
}

// NewMemory returns an empty bucket.
func NewMemory() *Memory { return &Memory{objects: map[string]Object{}} }

func (m *Memory) Bound() bool { return true }

func (m *Memory) Keep(_ context.Context, r Received) error {
	if r.Problem != "" || r.Sum == "" {
		return errors.New("pictures: a picture that can't be kept")
	}
	m.Put(Object{Sum: r.Sum, Bytes: r.Bytes, Kept: time.Now()})
	return nil
}

// Put adds an object.
func (m *Memory) Put(o Object) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.objects[o.Sum] = o
}

func (m *Memory) Drop(_ context.Context, sums ...string) error {
	if len(sums) > MaxList { // as the shim does
		return errors.New("pictures: too many at once")
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, sum := range sums {
		delete(m.objects, sum)
	}
	return nil
}

func (m *Memory) List(_ context.Context, after string, limit int) ([]Object, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var list []Object
	for sum, o := range m.objects {
		if sum > after {
			list = append(list, o)
		}
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Sum < list[j].Sum })
	return list[:min(len(list), limit, MaxList)], nil
}

// None is the bucket of a site without one.
type None struct{}

// errNone is the error of every method of None that needs a bucket.
var errNone = errors.New("pictures: no bucket is bound as PICTURES")

func (None) Bound() bool                                         { return false }
func (None) Keep(context.Context, Received) error                { return errNone }
func (None) Drop(context.Context, ...string) error               { return errNone }
func (None) List(context.Context, string, int) ([]Object, error) { return nil, errNone }
