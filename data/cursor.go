package data

import "math"

// Cursor says where a page of a list ended: the sort value and the id of its last item. The next page begins right
// after this position, even if the item has moved meanwhile. So nothing is shown twice or skipped when ranks move.
type Cursor struct {
	Order byte // the order of its list; a list of another order refuses it
	Value float64
	ID    ID
}

// IsZero reports whether this is the cursor of the first page.
func (c Cursor) IsZero() bool { return c.ID == 0 }

// String returns the cursor for addresses: the order, and the exact bits of the value and the id in 13 digits each. The zero cursor is
// "".
func (c Cursor) String() string {
	if c.IsZero() {
		return ""
	}
	bits := math.Float64bits(c.Value)
	var b [1 + 2*IDTextLen]byte
	b[0] = c.Order
	for i := IDTextLen; i > 0; i-- {
		b[i] = digits[bits&31]
		bits >>= 5
	}
	copy(b[1+IDTextLen:], c.ID.Text())
	return string(b[:])
}

// ErrBadCursor is returned for a cursor that this site did not make.
var ErrBadCursor = &Error{Code: Invalid, Field: "after", Message: "That page can't be found. Please start from the first page."}

// ParseCursor parses the result of String; "" is the first page. It returns ErrBadCursor for anything else, and for a cursor of another
// order.
func ParseCursor(order byte, s string) (Cursor, error) {
	if s == "" {
		return Cursor{}, nil
	}
	if len(s) != 1+2*IDTextLen || s[0] != order {
		return Cursor{}, ErrBadCursor
	}
	var bits uint64
	for i := 1; i <= IDTextLen; i++ {
		d := digitValues[s[i]]
		if d < 0 || i == 1 && d > 15 { // 13 digits hold 65 bits
			return Cursor{}, ErrBadCursor
		}
		bits = bits<<5 | uint64(d)
	}
	value := math.Float64frombits(bits)
	id, err := ParseID(s[1+IDTextLen:])
	if err != nil || math.IsNaN(value) || math.IsInf(value, 0) {
		return Cursor{}, ErrBadCursor
	}
	return Cursor{Order: order, Value: value, ID: id}, nil
}

// BeforeAll is a sort value above those of all items, in every order.
const BeforeAll = 9e15

// KeysetFrom returns the position after which a page begins in a list sorted by descending value and id.
func KeysetFrom(after Cursor) (value float64, id ID) {
	if after.IsZero() {
		return BeforeAll, 1 << 62
	}
	return after.Value, after.ID
}
