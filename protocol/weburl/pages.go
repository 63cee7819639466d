package weburl

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed pages.tsv
var pagesTable string

//go:embed parameters.tsv
var parametersTable string

// samePage is a row of pages.tsv: a pattern of addresses, and their canonical address.
type samePage struct {
	host, path  []string // labels and segments of the pattern. Each may end with a name in braces, {+name} for digits
	rest        bool     // the path may be longer, and the rest is kept
	name, value string   // of a parameter that the addresses have. Other parameters are removed
	to          parts
}

// pages are the rows of pages.tsv.
var pages = sync.OnceValue(func() (list []samePage) {
	for from, to := range rows(pagesTable) {
		address := splitKey(from)
		row := samePage{host: strings.Split(address.host, "."), to: splitKey(to)}
		address.path, row.rest = strings.CutSuffix(address.path, "/*")
		row.to.path = strings.TrimSuffix(row.to.path, "/*")
		row.path = segments(address.path)
		row.name, row.value, _ = strings.Cut(address.query, "=")
		list = append(list, row)
	}
	return list
})

// rows returns the first two columns of a table, without its comments.
func rows(table string) func(yield func(first, second string) bool) {
	return func(yield func(first, second string) bool) {
		for line := range strings.Lines(table) {
			columns := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
			if len(columns) > 1 && line[0] != '#' && !yield(columns[0], columns[1]) {
				return
			}
		}
	}
}

// splitKey is the inverse of parts.key.
func splitKey(key string) (p parts) {
	key, p.route, _ = strings.Cut(key, "#")
	key, p.query, _ = strings.Cut(key, "?")
	end := strings.IndexByte(key+"/", '/')
	p.host, p.path = key[:end], key[end:]
	return p
}

func segments(path string) []string {
	if path == "" {
		return nil
	}
	return strings.Split(path[1:], "/")
}

// rewritesMax limits how many rows are applied to an address, one after the other.
const rewritesMax = 8

// rewritten applies the rows of pages.tsv until none changes the address.
func (p parts) rewritten() parts {
	for range rewritesMax {
		before := p
		for i := range pages() {
			if to, ok := pages()[i].match(p); ok {
				p = to
				break
			}
		}
		if p == before {
			break
		}
	}
	return p
}

// match applies a row to an address, and reports whether the address matches its pattern.
func (s *samePage) match(p parts) (parts, bool) {
	named := make([]string, 0, 8) // names in braces, and their values
	read := func(pattern, text string) bool {
		from := strings.IndexByte(pattern, '{')
		if from < 0 {
			return pattern == text
		}
		if len(text) <= from || text[:from] != pattern[:from] {
			return false
		}
		value := text[from:]
		if pattern[from+1] == '+' && strings.Trim(value, "0123456789") != "" ||
			strings.ContainsAny(value, "/?") || value == "." || value == ".." { // of a parameter: it would be more than one segment of a path
			return false
		}
		named = append(named, pattern[from:], value)
		return true
	}
	labels := strings.Split(p.host, ".")
	if len(labels) != len(s.host) {
		return parts{}, false
	}
	for i := len(labels) - 1; i >= 0; i-- { // the last labels distinguish most hosts
		if !read(s.host[i], labels[i]) {
			return parts{}, false
		}
	}
	path := segments(p.path)
	if len(path) < len(s.path) || len(path) > len(s.path) && !s.rest {
		return parts{}, false
	}
	for i, pattern := range s.path {
		if !read(pattern, path[i]) {
			return parts{}, false
		}
	}
	if s.name != "" && !read(s.value, parameter(p.query, s.name)) {
		return parts{}, false
	}
	fill := strings.NewReplacer(named...)
	to := parts{host: fill.Replace(s.to.host), path: fill.Replace(s.to.path), query: fill.Replace(s.to.query)}
	if s.rest {
		for _, segment := range path[len(s.path):] {
			to.path += "/" + segment
		}
		to.query, to.route = p.query, p.route
	}
	return to, true
}

// parameter returns the value of a parameter; "" if there is none.
func parameter(query, name string) string {
	for pair := range strings.SplitSeq(query, "&") {
		if value, ok := strings.CutPrefix(pair, name+"="); ok {
			return value
		}
	}
	return ""
}

// parameterRow is a row of parameters.tsv: parameters without an effect, or with ! with one, on the pages of some sites.
type parameterRow struct {
	name  string
	begin bool // name is the beginning of names
	sites []string
}

// parameters are the rows that keep a parameter, and the rows that remove it.
var parameters = sync.OnceValue(func() (lists [2][]parameterRow) {
	for name, sites := range rows(parametersTable) {
		list := 1
		if strings.HasPrefix(name, "!") {
			name, list = name[1:], 0
		}
		row := parameterRow{sites: strings.Split(sites, " ")}
		row.name, row.begin = strings.CutSuffix(name, "*")
		lists[list] = append(lists[list], row)
	}
	return lists
})

// hasNoEffect reports whether a parameter has no effect on pages of a host. name is in lower case.
func hasNoEffect(host, name string) bool {
	for i, list := range parameters() {
		for _, row := range list {
			if (name == row.name || row.begin && strings.HasPrefix(name, row.name)) && row.holds(host) {
				return i == 1
			}
		}
	}
	return false
}

// holds reports whether the row is about a host. A site is * for all hosts, the beginning of hosts (amazon.*), or a domain.
func (r *parameterRow) holds(host string) bool {
	for _, site := range r.sites {
		begin, isPrefix := strings.CutSuffix(site, "*")
		if isPrefix && strings.HasPrefix(host, begin) || Within(host, site) {
			return true
		}
	}
	return false
}
