package listings

import (
	"cmp"
	"encoding/base64"
	"encoding/binary"
	"math"
	"slices"

	"plaza/data"
	"plaza/ranking"
)

// FrontCursor is the end of a page of a member's front page. It has all that the next page needs to continue in the same order: the
// communities of the walk and their tops.
type FrontCursor struct {
	Weight, Hot float64 // of the last post
	ID          data.ID // of the last post
	community   data.ID // of the last post
	communities []frontCommunity
}

// frontCommunity is a community of a walk.
type frontCommunity struct {
	id    data.ID
	top   int64 // in ranking.TopUnits; 0 if not known
	known bool
}

// IsZero reports whether this is the cursor of the first page.
func (c FrontCursor) IsZero() bool { return c.ID == 0 }

// frontLetter begins the cursors of front pages.
const frontLetter = "f"

// String returns the cursor for addresses: a letter, and in base 64 the last post and the communities in the order of their ids, each as
// the difference to the one before. That is about 45 characters and 10 more for each community. The zero cursor is "".
func (c FrontCursor) String() string {
	if c.IsZero() {
		return ""
	}
	b := make([]byte, 0, 32+16*len(c.communities))
	b = binary.BigEndian.AppendUint64(b, math.Float64bits(c.Weight))
	b = binary.BigEndian.AppendUint64(b, math.Float64bits(c.Hot))
	b = binary.BigEndian.AppendUint64(b, uint64(c.ID))
	sorted := slices.SortedFunc(slices.Values(c.communities), func(a, b frontCommunity) int { return cmp.Compare(a.id, b.id) })
	b = binary.AppendUvarint(b, uint64(slices.IndexFunc(sorted, func(f frontCommunity) bool { return f.id == c.community })))
	before := data.ID(0)
	for _, f := range sorted {
		b = binary.AppendUvarint(b, uint64(f.id-before))
		top := f.top
		if !f.known {
			top = topUnknown
		}
		b = binary.AppendVarint(b, top)
		before = f.id
	}
	return frontLetter + base64.RawURLEncoding.EncodeToString(b)
}

// topMax limits the tops in a cursor, in ranking.TopUnits: hot scores of thousands of years. topUnknown is written instead of an unknown
// top, if the community's shard has been missing since the first page.
const (
	topMax     = 1 << 32
	topUnknown = topMax + 1
)

// ParseFrontCursor parses FrontCursor.String; "" is the first page. Invalid for anything that String does not return.
func ParseFrontCursor(s string) (c FrontCursor, err error) {
	if s == "" {
		return c, nil
	}
	if len(s) > 2000 || s[:1] != frontLetter {
		return c, data.ErrBadCursor
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(s[1:])
	if err != nil || len(b) < 24 {
		return c, data.ErrBadCursor
	}
	c.Weight = math.Float64frombits(binary.BigEndian.Uint64(b))
	c.Hot = math.Float64frombits(binary.BigEndian.Uint64(b[8:]))
	c.ID = data.ID(binary.BigEndian.Uint64(b[16:]))
	ok := c.Weight <= 0 && !math.IsInf(c.Weight, 0) && !math.IsNaN(c.Hot) && !math.IsInf(c.Hot, 0) && c.ID > 0
	b = b[24:]
	number := func(read func([]byte) (int64, int)) (v int64) {
		v, n := read(b)
		if ok = ok && n > 0; ok {
			b = b[n:]
		}
		return v
	}
	unsigned := func(b []byte) (int64, int) {
		v, n := binary.Uvarint(b)
		return int64(v), n
	}
	index := number(unsigned) // of the last post's community
	id := data.ID(0)
	for ok && len(b) > 0 {
		step := number(unsigned)
		id += data.ID(step)
		f := frontCommunity{id, number(binary.Varint), true}
		ok = ok && step > 0 && id > 0 && -topMax <= f.top && f.top <= topUnknown && len(c.communities) < frontCommunities
		if f.top == topUnknown {
			f.top, f.known = 0, false
		}
		c.communities = append(c.communities, f)
	}
	if !ok || index < 0 || index >= int64(len(c.communities)) {
		return FrontCursor{}, data.ErrBadCursor
	}
	last := c.communities[index]
	if !last.known { // the last post comes from this community, so its shard has responded
		return FrontCursor{}, data.ErrBadCursor
	}
	c.community = last.id
	// With another weight, the statement would have to search all posts of the community.
	if math.Abs(c.Weight-ranking.Weight(c.Hot, ranking.TopOf(last.top))) > 1e-6 {
		return FrontCursor{}, data.ErrBadCursor
	}
	if c.String() != s {
		return FrontCursor{}, data.ErrBadCursor // another spelling of the same cursor
	}
	return c, nil
}
