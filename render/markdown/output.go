package markdown

import (
	"bytes"
	"unicode/utf8"

	"github.com/yuin/goldmark/parser"
)

// Expansion is how many bytes the addresses and titles of definitions may add to the HTML of a short text by being used again and again.
// A longer text may have as many bytes added as it has itself.
const Expansion = 16 << 10

// frugalContext counts what references to definitions add to a text. References that would add too much stay text, as in cmark. Without
// this limit, a title of 10,000 bytes that is used a thousand times would make ten megabytes.
type frugalContext struct {
	parser.Context
	left int
}

func newFrugalContext(source int) *frugalContext {
	return &frugalContext{parser.NewContext(), max(source, Expansion)}
}

func (c *frugalContext) Reference(label string) (parser.Reference, bool) {
	ref, ok := c.Context.Reference(label)
	if !ok {
		return nil, false
	}
	size := len(ref.Destination()) + len(ref.Title())
	if size > c.left {
		return nil, false
	}
	c.left -= size
	return ref, true
}

// limitedBuffer keeps at most limit bytes. It drops everything from the write that would exceed them, and then sets full.
type limitedBuffer struct {
	bytes.Buffer
	limit int
	full  bool
}

func (b *limitedBuffer) fits(n int) bool {
	b.full = b.full || b.Len()+n > b.limit
	return !b.full
}

// The rest is util.BufWriter, so that the renderer puts no buffer of its own before it.

func (b *limitedBuffer) Write(p []byte) (int, error) {
	if b.fits(len(p)) {
		_, _ = b.Buffer.Write(p)
	}
	return len(p), nil
}

func (b *limitedBuffer) WriteString(s string) (int, error) {
	if b.fits(len(s)) {
		_, _ = b.Buffer.WriteString(s)
	}
	return len(s), nil
}

func (b *limitedBuffer) WriteByte(c byte) error {
	if b.fits(1) {
		_ = b.Buffer.WriteByte(c)
	}
	return nil
}

func (b *limitedBuffer) WriteRune(r rune) (int, error) {
	n := max(utf8.RuneLen(r), 1)
	if b.fits(n) {
		_, _ = b.Buffer.WriteRune(r)
	}
	return n, nil
}

func (b *limitedBuffer) Available() int { return 0 }

func (b *limitedBuffer) Buffered() int { return 0 }

func (b *limitedBuffer) Flush() error { return nil }
