package verify

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"slices"
)

// sum is the sum for one key; for an author: the karma of posts (A) and comments (B).
type sum struct{ Key, A, B int64 }

// totals sums numbers by key. Sums that do not fit into memory are written to sorted files, which are merged when the totals are read.
type totals struct {
	inMemory    map[int64]*sum
	maxInMemory int // keys
	files       []*os.File
}

// totalsInMemory is how many keys a total has in memory, of about 60 bytes each.
const totalsInMemory = 200_000

func newTotals() *totals { return &totals{inMemory: map[int64]*sum{}, maxInMemory: totalsInMemory} }

func (t *totals) add(key, a, b int64) error {
	s := t.inMemory[key]
	if s == nil {
		if len(t.inMemory) >= t.maxInMemory {
			if err := t.spill(); err != nil {
				return err
			}
		}
		s = &sum{Key: key}
		t.inMemory[key] = s
	}
	s.A, s.B = s.A+a, s.B+b
	return nil
}

func (t *totals) sorted() []sum {
	list := make([]sum, 0, len(t.inMemory))
	for _, s := range t.inMemory {
		list = append(list, *s)
	}
	slices.SortFunc(list, func(x, y sum) int { return cmp.Compare(x.Key, y.Key) })
	return list
}

// spill writes the sums in memory to a private file.
func (t *totals) spill() error {
	f, err := os.CreateTemp("", "plaza-verify-")
	if err != nil {
		return err
	}
	t.files = append(t.files, f)
	w := bufio.NewWriter(f)
	for _, s := range t.sorted() {
		if err := binary.Write(w, binary.LittleEndian, s); err != nil {
			return err
		}
	}
	clear(t.inMemory)
	return w.Flush()
}

// each reads the totals in the order of their keys, each key once.
func (t *totals) each(f func(sum) error) error {
	rest := t.sorted()
	runs := []func() (sum, bool, error){func() (s sum, ok bool, err error) {
		if len(rest) == 0 {
			return s, false, nil
		}
		s, rest = rest[0], rest[1:]
		return s, true, nil
	}}
	for _, file := range t.files {
		if _, err := file.Seek(0, io.SeekStart); err != nil {
			return err
		}
		r := bufio.NewReader(file)
		runs = append(runs, func() (s sum, ok bool, err error) {
			if err = binary.Read(r, binary.LittleEndian, &s); err == io.EOF {
				return s, false, nil
			}
			return s, err == nil, err
		})
	}
	heads, live := make([]sum, len(runs)), make([]bool, len(runs))
	var err error
	for i, next := range runs {
		if heads[i], live[i], err = next(); err != nil {
			return err
		}
	}
	for {
		least := -1
		for i := range runs {
			if live[i] && (least < 0 || heads[i].Key < heads[least].Key) {
				least = i
			}
		}
		if least < 0 {
			return nil
		}
		s := sum{Key: heads[least].Key}
		for i, next := range runs {
			if live[i] && heads[i].Key == s.Key {
				s.A, s.B = s.A+heads[i].A, s.B+heads[i].B
				if heads[i], live[i], err = next(); err != nil {
					return err
				}
			}
		}
		if err := f(s); err != nil {
			return err
		}
	}
}

func (t *totals) close() (err error) {
	for _, f := range t.files {
		err = errors.Join(err, f.Close(), os.Remove(f.Name()))
	}
	return err
}
