package mosaic

import "strconv"

// kind is what a tile shows.
type kind int

const (
	whole    kind = iota // the whole tile
	quarter              // a quarter of a disc around a corner
	arc                  // a quarter of a ring around a corner
	triangle             // half of the tile below a diagonal
	leaf                 // what two discs around opposite corners share
	dot                  // a disc in the middle
	ring                 // a ring around the middle
)

// turns is how many ways a shape can lie.
const turns = 4

// shape is a kind of shape and how it lies. The turn is the corner that it belongs to: 0 for the upper left, 1 for the upper right, 2 for
// the lower right, 3 for the lower left.
type shape struct {
	kind kind
	turn int
}

// unit is the side of a tile in a file.
const unit = 8

// paths of shapes in a file, by their turn, from the upper left corner of the tile.
var paths = map[kind][turns]string{
	whole:    same("h8v8h-8z"),
	quarter:  {"h8a8 8 0 01-8 8z", "h8v8a8 8 0 01-8-8z", "m8 0v8h-8a8 8 0 018-8z", "a8 8 0 018 8h-8z"},
	triangle: {"h8l-8 8z", "h8v8z", "m8 0v8h-8z", "l8 8h-8z"},
	arc: {"m8 0a8 8 0 01-8 8v-4a4 4 0 004-4z", "a8 8 0 008 8v-4a4 4 0 01-4-4z", "m0 8a8 8 0 018-8v4a4 4 0 00-4 4z",
		"a8 8 0 018 8h-4a4 4 0 00-4-4z"},
	leaf: {"a8 8 0 018 8a8 8 0 01-8-8z", "m8 0a8 8 0 01-8 8a8 8 0 018-8z", "a8 8 0 018 8a8 8 0 01-8-8z",
		"m8 0a8 8 0 01-8 8a8 8 0 018-8z"},
	dot:  same("m1.5 4a2.5 2.5 0 115 0a2.5 2.5 0 11-5 0z"),
	ring: same("m1 4a3 3 0 116 0a3 3 0 11-6 0zm1.5 0a1.5 1.5 0 103 0a1.5 1.5 0 10-3 0z"),
}

func same(path string) [turns]string { return [turns]string{path, path, path, path} }

// appendPath appends a shape, as a path whose upper left corner is at x and y.
func appendPath(b []byte, s shape, x, y int) []byte {
	path := paths[s.kind][s.turn]
	if path == "" {
		return b
	}
	b = strconv.AppendInt(append(b, 'M'), int64(x), 10)
	b = strconv.AppendInt(append(b, ' '), int64(y), 10)
	return append(b, path...)
}

// covers reports whether a point of the tile belongs to the shape. Coordinates are parts of the tile's side, from its upper left corner.
func (s shape) covers(x, y float64) bool {
	// Mirror the point, as if the shape belonged to the upper left corner.
	if s.turn == 1 || s.turn == 2 {
		x = 1 - x
	}
	if s.turn >= 2 {
		y = 1 - y
	}
	square := x*x + y*y
	middle := (x-.5)*(x-.5) + (y-.5)*(y-.5)
	switch s.kind {
	case whole:
		return true
	case quarter:
		return square < 1
	case arc:
		return square < 1 && square > .25
	case triangle:
		return x+y < 1
	case leaf:
		return (1-x)*(1-x)+y*y < 1 && x*x+(1-y)*(1-y) < 1
	case dot:
		return middle < .3125*.3125
	case ring:
		return middle < .375*.375 && middle > .1875*.1875
	}
	return false
}
