package ui

import (
	"sync"

	"plaza/locale"
)

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
