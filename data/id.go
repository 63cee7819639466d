package data

import (
	"strconv"
	"strings"
	"time"
)

// ID is a snowflake: 41 bits of milliseconds since Epoch, 10 bits of slot and 12 bits of sequence, so that sorting by id is sorting by
// time and the slot of a row is readable from its id. A slot is on one shard (slot.go). The lowest bit of the sequence distinguishes
// posts (even) from comments (odd): a vote, a save or a report names its target by the id alone. Ids of other things have any sequence.
// An ID is a decimal string in JSON, because JavaScript's numbers end at 2^53.
type ID int64

// Epoch is the earliest time of an ID.
var Epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// IDTextLen is the length of ID.Text, and of one segment of a comment's path.
const IDTextLen = 13

const (
	sequenceBits = 12
	slotBits     = 10
	timeShift    = sequenceBits + slotBits
	maxSlot      = 1<<slotBits - 1
	// digits is Crockford's base 32 (crockford.com/base32.html), in ascending byte order, so that texts sort as the
	// numbers do.
	digits = "0123456789abcdefghjkmnpqrstvwxyz"
)

// Kind is the kind of thing that an id names.
type Kind int

// The kinds that ids distinguish.
const (
	KindOther Kind = iota
	KindPost
	KindComment
)

// NewID makes an id for time t (not before Epoch) in a slot. sequence is random: its low 12 bits are used, and the lowest of them is set
// for the kind.
func NewID(t time.Time, slot int, kind Kind, sequence uint32) ID {
	seq := int64(sequence & (1<<sequenceBits - 1))
	switch kind {
	case KindPost:
		seq &^= 1
	case KindComment:
		seq |= 1
	}
	ms := max(t.Sub(Epoch).Milliseconds(), 0)
	return ID(ms<<timeShift | int64(slot&maxSlot)<<sequenceBits | seq)
}

// Time returns when the id was made.
func (id ID) Time() time.Time {
	return Epoch.Add(time.Duration(id>>timeShift) * time.Millisecond)
}

// Slot returns the number of the slot of the row with this id.
func (id ID) Slot() int { return int(id>>sequenceBits) & maxSlot }

// IsComment reports whether the id is a comment's, and not a post's.
func (id ID) IsComment() bool { return id&1 == 1 }

// Text returns the id for addresses and Redis members: 13 characters, which sort as the numbers do.
func (id ID) Text() string {
	var b [IDTextLen]byte
	v := uint64(id)
	for i := IDTextLen - 1; i >= 0; i-- {
		b[i] = digits[v&31]
		v >>= 5
	}
	return string(b[:])
}

func (id ID) String() string { return strconv.FormatInt(int64(id), 10) }

// MarshalJSON writes the id as a decimal string.
func (id ID) MarshalJSON() ([]byte, error) {
	return []byte(`"` + id.String() + `"`), nil
}

// ParseID parses ID.Text, or the decimal form of JSON. Anything else is Invalid.
func ParseID(s string) (ID, error) {
	if len(s) == IDTextLen {
		var v uint64
		for i := 0; i < len(s); i++ {
			d := digitValues[s[i]]
			if d < 0 {
				return 0, errBadID
			}
			v = v<<5 | uint64(d)
		}
		// 13 digits hold 65 bits: the first must be below 8, for a positive int64.
		if digitValues[s[0]] >= 8 || v == 0 {
			return 0, errBadID
		}
		return ID(v), nil
	}
	v, err := strconv.ParseInt(s, 10, 64)
	if err != nil || v <= 0 || s[0] == '+' {
		return 0, errBadID
	}
	return ID(v), nil
}

var errBadID = &Error{Code: Invalid, Message: "That is not an id of this site."}

var digitValues = func() (t [256]int8) {
	for i := range t {
		t[i] = -1
	}
	for i := 0; i < len(digits); i++ {
		t[digits[i]] = int8(i)
	}
	return t
}()

// JSONIDs returns a JSON array for json_each. SQLite reads its integers exactly.
func JSONIDs(ids []ID) string {
	var b strings.Builder
	b.WriteByte('[')
	for i, id := range ids {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(id.String())
	}
	b.WriteByte(']')
	return b.String()
}
