package render

import g "maragu.dev/gomponents"

// views says how many people have looked at a post; nothing when none have.
func (m *markup) views(n int64) *markup {
	if n == 0 {
		return m
	}
	if n >= 1000 {
		return m.counted(n, "view", "views")
	}
	return m.lit(`<span>`).plural(n, "view", "views").lit(`</span>`)
}

// viewMark is the attribute by which the script knows what to count; nil for none.
func viewMark(mark string) g.Node {
	if mark == "" {
		return nil
	}
	return g.Attr("data-view", mark)
}
