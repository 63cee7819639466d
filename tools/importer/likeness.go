package importer

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"image"
	_ "image/gif" // decoders
	_ "image/jpeg"
	_ "image/png"
	"math"
	"strconv"

	"golang.org/x/image/draw"
	_ "golang.org/x/image/webp"

	"plaza/data/content/pictures"
)

// decodedMost bounds the pixels of a picture that is decoded for its hash. Small versions have far less.
const decodedMost = 4_000_000

// hash is the difference hash of the picture, if it is known or can be computed: what its line says, or else that of its small version or
// of itself. A hash of one colour says nothing (data/content/pictures).
func (f *file) hash() (hash int64, known bool) {
	if n := f.toldHash(); n != nil {
		return *n, true
	}
	text := f.small
	if text == nil {
		text = f.bytes
	}
	n, ok := hashOf(text)
	return n, ok && n != 0 && n != -1
}

// toldHash is the hash that the line says; nil for none.
func (f *file) toldHash() *int64 {
	n, err := strconv.ParseUint(f.Hash, 16, 64)
	if err != nil || len(f.Hash) != 16 || n == 0 || n == math.MaxUint64 {
		return nil
	}
	hash := int64(n)
	return &hash
}

// hashOf computes a difference hash as browsers do (web/app/upload.js): for 8 rows of 9 pixels, whether each is brighter than its
// neighbour. They scale with other filters, so a few bits may differ.
func hashOf(text []byte) (hash int64, ok bool) {
	size, _, err := image.DecodeConfig(bytes.NewReader(text))
	if err != nil || size.Width <= 0 || size.Height <= 0 || size.Width > decodedMost/size.Height {
		return 0, false
	}
	it, _, err := image.Decode(bytes.NewReader(text))
	if err != nil {
		return 0, false
	}
	tiny := image.NewNRGBA(image.Rect(0, 0, 9, 8))
	draw.BiLinear.Scale(tiny, tiny.Bounds(), it, it.Bounds(), draw.Src, nil)
	grey := func(x, y int) int {
		c := tiny.NRGBAAt(x, y)
		return int(c.R)*299 + int(c.G)*587 + int(c.B)*114
	}
	for y := range 8 {
		for x := range 8 {
			if hash <<= 1; grey(x, y) > grey(x+1, y) {
				hash |= 1
			}
		}
	}
	return hash, true
}

var (
	// Primary keys, and the indexes of pictures.Alike.
	blockedKept = blockedLike(`SELECT p.sum, p.hash FROM json_each(?1) j CROSS JOIN pictures p ON p.sum = j.value WHERE p.hash IS NOT NULL`)
	// The parameter has pairs of a sum and a hash.
	blockedNew = blockedLike(`SELECT value ->> 0 AS sum, value ->> 1 AS hash FROM json_each(?1)`)
)

// blockedLike selects the sums of those pictures in from whose hash is similar to that of a picture that is blocked on the whole site.
func blockedLike(from string) string {
	return `SELECT a.sum FROM ` + pictures.Alike("h.sum AS sum, x.community_id AS community_id", "picture_blocks", "("+from+")") +
		` a WHERE a.community_id = 0`
}

// blocked tells which of some pictures are blocked on the whole site, by their sums or by the hashes of those that the site has.
func (w *writer) blocked(ctx context.Context, sums []string) (map[string]bool, error) {
	blocked := map[string]bool{}
	for _, query := range []string{blockedSums, blockedKept} {
		if err := each(ctx, w.directory, query, sums, addTo(blocked)); err != nil {
			return nil, err
		}
	}
	return blocked, nil
}

// leaveOutAlike removes pictures that are similar to one that is blocked on the whole site.
func (w *writer) leaveOutAlike(ctx context.Context, found map[string]*file) error {
	list := [][2]any{}
	for sum, f := range found {
		if hash, known := f.hash(); known {
			list = append(list, [2]any{sum, hash})
		}
	}
	text, err := json.Marshal(list)
	if err != nil || len(list) == 0 {
		return err
	}
	rows, err := w.directory.QueryContext(ctx, blockedNew, string(text))
	if err != nil {
		return err
	}
	defer rows.Close()
	blocked := map[string]bool{}
	for add := addTo(blocked); rows.Next(); {
		if err := add(rows); err != nil {
			return err
		}
	}
	for sum := range blocked {
		delete(found, sum)
	}
	return rows.Err()
}

// addTo returns a scan that adds sums.
func addTo(sums map[string]bool) func(*sql.Rows) error {
	return func(rows *sql.Rows) error {
		var sum string
		err := rows.Scan(&sum)
		sums[sum] = true
		return err
	}
}
