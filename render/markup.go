package render

import (
	"bytes"
	"io"
	"net/url"
	"slices"
	"sync"

	g "maragu.dev/gomponents"
)

// HTML is markup that is written into a page as it is. Only the output of RenderMarkdown and RenderPlain, fresh or stored, may become one.
type HTML string

// markup is HTML being written. Pages and rare components are gomponents; what stands
// on a page many times is a method of markup that appends its HTML, which costs no
// allocation. The rule that keeps both safe: whatever is not a literal goes through
// text, which escapes for element content and for quoted attribute values.
type markup struct {
	b   []byte
	err error // the first error of a node
}

// literal is HTML that stands in the source of this package; no string becomes one.
type literal string

// component makes a gomponents node of something that writes its own HTML.
type component func(*markup)

// Render writes the component, straight into w where w is markup.
func (c component) Render(w io.Writer) error {
	if m, ok := w.(*markup); ok {
		c(m)
		return nil
	}
	m := takeMarkup()
	defer m.release()
	c(m)
	if m.err != nil {
		return m.err
	}
	_, err := w.Write(m.b)
	return err
}

// Bytes renders a page or fragment, into a slice that is the caller's. The error is that of a node; the nodes of this package have none.
func Bytes(node g.Node) ([]byte, error) {
	m := takeMarkup()
	defer m.release()
	m.node(node)
	if m.err != nil {
		return nil, m.err
	}
	return bytes.Clone(m.b), nil
}

// written keeps markup for the next page, because its buffer has grown to the length of one.
var written = sync.Pool{New: func() any { return &markup{b: make([]byte, 0, 32<<10)} }}

func takeMarkup() *markup { return written.Get().(*markup) }

// release gives m back for the next page, unless it has become too large to keep.
func (m *markup) release() {
	if cap(m.b) <= 1<<20 {
		m.b, m.err = m.b[:0], nil
		written.Put(m)
	}
}

// add appends s as it is. Unlike append it does not write the pointer of the slice each time, which costs a write barrier while garbage
// is collected.
func (m *markup) add(s string) {
	end := len(m.b)
	if end+len(s) > cap(m.b) {
		m.b = slices.Grow(m.b, len(s))
	}
	m.b = m.b[:end+len(s)]
	copy(m.b[end:], s)
}

// lit writes HTML as it stands in the source.
func (m *markup) lit(s literal) *markup {
	m.add(string(s))
	return m
}

// when writes s if on.
func (m *markup) when(on bool, s literal) *markup {
	if on {
		m.add(string(s))
	}
	return m
}

// escapes are those of html/template.HTMLEscapeString.
var escapes = [256]string{0: "\uFFFD", '"': "&#34;", '\'': "&#39;", '&': "&amp;", '<': "&lt;", '>': "&gt;"}

// special tells which bytes have an escape.
var special = [256]bool{0: true, '"': true, '\'': true, '&': true, '<': true, '>': true}

// text writes s escaped.
func (m *markup) text(s string) *markup {
	start := 0
	for i := 0; i < len(s); i++ {
		if special[s[i]] {
			m.add(s[start:i])
			m.add(escapes[s[i]])
			start = i + 1
		}
	}
	m.add(s[start:])
	return m
}

// segment writes s as one segment of the path in an address.
func (m *markup) segment(s string) *markup {
	for i := 0; i < len(s); i++ {
		if !nameByte(s[i]) {
			return m.text(url.PathEscape(s))
		}
	}
	m.add(s)
	return m
}

// made writes HTML that Markdown made. This is the only way for HTML that is not in the source to get into a page.
func (m *markup) made(s HTML) *markup {
	m.add(string(s))
	return m
}

// formatted writes what Markdown made in an element of its own.
func (m *markup) formatted(s HTML) *markup {
	if s == "" {
		return m
	}
	return m.lit(`<div class="md">`).made(s).lit(`</div>`)
}

// node writes a gomponents node.
func (m *markup) node(n g.Node) *markup {
	if n == nil {
		return m
	}
	if err := n.Render(m); err != nil && m.err == nil {
		m.err = err
	}
	return m
}

// Write lets gomponents write.
func (m *markup) Write(p []byte) (int, error) {
	m.b = append(m.b, p...)
	return len(p), nil
}

// WriteString lets gomponents write.
func (m *markup) WriteString(s string) (int, error) {
	m.add(s)
	return len(s), nil
}
