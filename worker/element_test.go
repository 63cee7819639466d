package worker_test

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// element is one of a page that a browser has read.
type element struct{ *html.Node }

func (e element) Attr(name string) string {
	for _, a := range e.Node.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func (e element) is(tag, class string) bool {
	return e.Type == html.ElementNode && e.Data == tag && (class == "" || slices.Contains(strings.Fields(e.Attr("class")), class))
}

// All are the elements below that are of a kind, and not below one of the kinds in not.
func (e element) All(tag, class string, not ...string) (list []element) {
	for n := e.FirstChild; n != nil; n = n.NextSibling {
		child := element{n}
		if child.is(tag, class) {
			list = append(list, child)
		}
		if n.Type == html.ElementNode && !slices.ContainsFunc(not, func(c string) bool { return child.is(n.Data, c) }) {
			list = append(list, child.All(tag, class, not...)...)
		}
	}
	return list
}

func (e element) First(tag, class string, not ...string) element {
	if list := e.All(tag, class, not...); len(list) > 0 {
		return list[0]
	}
	return element{&html.Node{}}
}

// Text is what a reader sees.
func (e element) Text() string {
	var b strings.Builder
	for n := range e.Descendants() {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// Everything is all text and all attributes, decoded.
func (e element) Everything() string {
	var b strings.Builder
	for n := range e.Descendants() {
		if n.Type == html.TextNode {
			b.WriteString(n.Data + "\n")
		}
		for _, a := range n.Attr {
			b.WriteString(a.Val + "\n")
		}
	}
	return b.String()
}
