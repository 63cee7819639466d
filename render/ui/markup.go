package ui

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"net/url"
	"slices"
	"sync"

	g "maragu.dev/gomponents"

	"plaza/locale"
	"plaza/render/markdown"
)

// Markup is a buffer of HTML. Pages and rare components are gomponents; parts that a page repeats are methods of Markup, which append HTML
// and allocate nothing. The rule that keeps both safe: whatever is not a literal goes through Text, which escapes for element content and
// for quoted attribute values.
type Markup struct {
	b   []byte
	Err error // the first error of a node

	lang *locale.Language // of the page; nil is English

	frame *Frame // of the page; nil for a part of one

	pictured bool // the style sheet and the script of pictures are on the page

	recording bool  // offsets of placeholders are recorded
	offsets   []int // of the placeholders in b, for a template

	focused  bool // an invalid control has the focus (autoFocus)
	focusEnd int  // where the attribute that AutoFocus has written ends in b; 0 for none
}

// Literal is HTML in the source code; no string is converted to it.
type Literal string

// Component is a gomponents node that writes its own HTML.
type Component func(*Markup)

// Render writes the component, straight into w where w is markup.
func (c Component) Render(w io.Writer) error {
	if m, ok := w.(*Markup); ok {
		c(m)
		return nil
	}
	m := takeMarkup()
	defer m.release()
	c(m)
	if m.Err != nil {
		return m.Err
	}
	_, err := w.Write(m.b)
	return err
}

// Bytes renders a page or fragment in a language, into a slice that the caller owns. The error comes from a node; the nodes of this package
// have none.
func Bytes(l *locale.Language, node g.Node) ([]byte, error) {
	m := takeMarkup()
	defer m.release()
	m.lang = l
	m.Node(node)
	if m.Err != nil {
		return nil, m.Err
	}
	return bytes.Clone(m.b), nil
}

// Buffer has rendered HTML.
type Buffer struct{ m *Markup }

// Render is Bytes without a copy. Call Release when the HTML is not needed any more.
func Render(l *locale.Language, node g.Node) (*Buffer, error) {
	m := takeMarkup()
	m.lang = l
	if m.Node(node); m.Err != nil {
		err := m.Err
		m.release()
		return nil, err
	}
	return &Buffer{m}, nil
}

// Bytes returns the HTML. Do not use it after Release.
func (w *Buffer) Bytes() []byte { return w.m.b }

// Release gives the buffer back for the next page. Call it once.
func (w *Buffer) Release() { w.m.release() }

// pool keeps markup for the next page, because its buffer has grown to the length of a page.
var pool = sync.Pool{New: func() any { return &Markup{b: make([]byte, 0, 32<<10)} }}

func takeMarkup() *Markup { return pool.Get().(*Markup) }

// release gives m back for the next page, unless it has become too large to keep.
func (m *Markup) release() {
	if cap(m.b) <= 1<<20 {
		*m = Markup{b: m.b[:0], offsets: m.offsets[:0]}
		pool.Put(m)
	}
}

// add appends s as it is. Unlike append it does not write the pointer of the slice each time, which costs a write barrier while garbage
// is collected.
func (m *Markup) add(s string) {
	end := len(m.b)
	if end+len(s) > cap(m.b) {
		m.b = slices.Grow(m.b, len(s))
	}
	m.b = m.b[:end+len(s)]
	copy(m.b[end:], s)
}

// Lit writes HTML as it stands in the source. It is add once more: a page calls it some hundred times, and nothing is inlined here
// (worker/edge/build.sh).
func (m *Markup) Lit(s Literal) *Markup {
	end := len(m.b)
	if end+len(s) > cap(m.b) {
		m.b = slices.Grow(m.b, len(s))
	}
	m.b = m.b[:end+len(s)]
	copy(m.b[end:], s)
	return m
}

// When writes s if on.
func (m *Markup) When(on bool, s Literal) *Markup {
	if on {
		m.add(string(s))
	}
	return m
}

// escapes are the same as in html/template.HTMLEscapeString.
var escapes = [256]string{0: "\uFFFD", '"': "&#34;", '\'': "&#39;", '&': "&amp;", '<': "&lt;", '>': "&gt;"}

// special marks the bytes that have an escape.
var special = [256]bool{0: true, '"': true, '\'': true, '&': true, '<': true, '>': true}

// Text writes s escaped.
func (m *Markup) Text(s string) *Markup {
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

// Segment writes s as one segment of the path in an address.
func (m *Markup) Segment(s string) *Markup {
	for i := 0; i < len(s); i++ {
		if !markdown.NameByte(s[i]) {
			return m.Text(url.PathEscape(s))
		}
	}
	m.add(s)
	return m
}

// rendered writes HTML that Markdown made. This is the only way for HTML that is not in the source to get into a page.
func (m *Markup) rendered(s markdown.HTML) *Markup {
	m.add(string(s))
	return m
}

// Formatted writes HTML of Markdown in an element of its own.
func (m *Markup) Formatted(s markdown.HTML) *Markup {
	if s == "" {
		return m
	}
	return m.Lit(`<div class="md">`).rendered(s).Lit(`</div>`)
}

// PageText is HTML of Markdown right below the heading of its page.
func PageText(s markdown.HTML) g.Node {
	return Component(func(m *Markup) {
		if s != "" {
			from := len(m.b)
			m.Lit(`<div class="md whole">`).rendered(s).raise(from).Lit(`</div>`)
		}
	})
}

// raise raises the headings from a position of the buffer on by one level, for a text right below the heading of its page. Markdown starts
// them at h3.
func (m *Markup) raise(from int) *Markup {
	for b := m.b[from:]; ; {
		at := bytes.IndexByte(b, '<')
		if at < 0 {
			return m
		}
		b = bytes.TrimPrefix(b[at+1:], []byte("/"))
		if len(b) > 1 && b[0] == 'h' && '3' <= b[1] && b[1] <= '6' {
			b[1]--
		}
	}
}

// Dot separates the facts of a line. Its no-break space keeps it from beginning a line.
func (m *Markup) Dot() *Markup { return m.Lit("\u00a0· ") }

// Dot is Markup.Dot as a node.
var Dot = Component(func(m *Markup) { m.Dot() })

// JSON writes v for the scripts of a page, as the content of an element. json.Marshal escapes <, > and &, so that nothing in it can end the
// element.
func (m *Markup) JSON(v any) *Markup {
	b, err := json.Marshal(v)
	if err != nil {
		m.Err = cmp.Or(m.Err, err)
		return m
	}
	m.add(string(b))
	return m
}

// Node writes a gomponents node.
func (m *Markup) Node(n g.Node) *Markup {
	if n == nil {
		return m
	}
	if err := n.Render(m); err != nil && m.Err == nil {
		m.Err = err
	}
	return m
}

// Write implements io.Writer for gomponents.
func (m *Markup) Write(p []byte) (int, error) {
	m.b = append(m.b, p...)
	return len(p), nil
}

// WriteString implements io.StringWriter for gomponents.
func (m *Markup) WriteString(s string) (int, error) {
	m.add(s)
	return len(s), nil
}

func Formatted(s markdown.HTML) g.Node {
	return Component(func(m *Markup) { m.Formatted(s) })
}

// memory keeps HTML that many pages have in common, such as the menu of a member. The HTML depends on nothing but a key and the language.
type memory[K comparable] struct {
	mu    sync.Mutex
	html  map[memoryKey[K]]string
	bytes int
}

type memoryKey[K comparable] struct {
	language *locale.Language
	key      K
}

// memoryMax is how many bytes of HTML a memory keeps. Then it begins again.
const memoryMax = 256 << 10

// remember writes the HTML of a key. It calls write if no page in this language has done so. write must be a function with a name: then it
// knows nothing else of the page.
func remember[K comparable](m *Markup, in *memory[K], key K, write func(*Markup, K)) *Markup {
	of := memoryKey[K]{m.language(), key}
	in.mu.Lock()
	html, ok := in.html[of]
	in.mu.Unlock()
	if ok {
		m.add(html)
		return m
	}
	from := len(m.b)
	write(m, key)
	html = string(m.b[from:])
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.html == nil || in.bytes+len(html) > memoryMax {
		in.html, in.bytes = map[memoryKey[K]]string{}, 0
	}
	in.html[of] = html
	in.bytes += len(html)
	return m
}
