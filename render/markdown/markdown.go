// Package markdown turns members' texts into safe HTML: CommonMark without raw HTML, with limits that keep the time in proportion to the
// text. What it returns has the type HTML, which is the only text that a page writes without escaping it.
//
// # The length of the HTML is limited
//
// Render's callers allow 64 KB for a comment or a sidebar and 256 KB for a post; beyond, the form shows an error. What repeated use of link
// definitions adds is limited by the length of the text, as in cmark. For rows of earlier builds with more HTML, the statement reads the
// source text instead (commentBody, postBody and sidebarBody of the stores).
package markdown

import (
	"bytes"
	"errors"
	"strings"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

// MaxMarkdown is the maximum length of a source of Render, in bytes: 40,000 characters of any alphabet.
const MaxMarkdown = 160 << 10

var (
	// ErrTooLong says that a text is longer than MaxMarkdown.
	ErrTooLong = errors.New("markdown: text is too long")
	// ErrTooMuch says that a text makes more HTML than is allowed.
	ErrTooMuch = errors.New("markdown: text makes too much HTML")
)

// markdown is CommonMark 0.31.2 without raw HTML (what looks like a tag is text), with bare addresses and mentions as links, tables, struck
// text, footnotes and spoilers. It is safe for concurrent use.
var markdown = sync.OnceValue(func() goldmark.Markdown {
	return goldmark.New(
		goldmark.WithParser(parser.NewParser(
			parser.WithBlockParsers(
				util.Prioritized(parser.NewSetextHeadingParser(), 100),
				util.Prioritized(parser.NewThematicBreakParser(), 200),
				util.Prioritized(shallow{parser.NewListParser()}, 300),
				util.Prioritized(parser.NewListItemParser(), 400),
				util.Prioritized(parser.NewCodeBlockParser(), 500),
				util.Prioritized(parser.NewATXHeadingParser(), 600),
				util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
				util.Prioritized(shallow{quotes{parser.NewBlockquoteParser()}}, 800),
				util.Prioritized(noteParser{}, 900),
				util.Prioritized(parser.NewParagraphParser(), 1000),
			),
			parser.WithInlineParsers(
				util.Prioritized(closedCode{parser.NewCodeSpanParser()}, 100),
				util.Prioritized(noteRefParser{}, 150),
				util.Prioritized(few{parser.NewLinkParser()}, 200),
				util.Prioritized(parser.NewAutoLinkParser(), 300),
				util.Prioritized(few{parser.NewEmphasisParser()}, 500),
				util.Prioritized(few{strikeParser{}}, 500),
				util.Prioritized(spoilerParser{}, 600),
				util.Prioritized(addressParser{}, 900),
			),
			parser.WithParagraphTransformers(
				util.Prioritized(definitions{parser.LinkReferenceParagraphTransformer}, 100),
				util.Prioritized(tables{}, 200),
			),
			parser.WithASTTransformers(
				util.Prioritized(transform(hideSpoilers), 10),
				util.Prioritized(transform(gatherNotes), 20),
				util.Prioritized(transform(unescapePipes), 30),
				util.Prioritized(transform(trimBreaks), 50),
				util.Prioritized(transform(flatten), 100),
				util.Prioritized(transform(levelHeadings), 200),
				util.Prioritized(transform(linkMentions), 300),
			),
		)),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(safeRenderer{}, 100))),
	)
})

// Render turns what a person wrote into safe HTML of at most limit bytes: CommonMark without raw HTML or images (an image becomes a link to
// it). Headings start at h3. The time it takes grows linearly with src. The error is ErrTooLong or ErrTooMuch.
func Render(src string, limit int) (HTML, error) {
	if len(src) > MaxMarkdown {
		return "", ErrTooLong
	}
	source := clean(src)
	out := limitedBuffer{limit: limit}
	if err := markdown().Convert(source, &out, parser.WithContext(newFrugalContext(len(source)))); err != nil {
		return "", err
	}
	if out.full {
		return "", ErrTooMuch
	}
	return HTML(out.String()), nil
}

// Plain shows a text as it was typed. It is for texts whose HTML would be too long.
func Plain(src string) HTML {
	text := string(util.EscapeHTML(clean(src)))
	return HTML("<p>" + strings.ReplaceAll(text, "\n", "<br>\n") + "</p>\n")
}

// clean replaces NUL and invalid UTF-8 as CommonMark requires, and makes every line end in a line feed.
func clean(src string) []byte {
	b := bytes.ToValidUTF8([]byte(src), []byte("\uFFFD"))
	b = bytes.ReplaceAll(b, []byte{0}, []byte("\uFFFD"))
	b = bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n"))
	return bytes.ReplaceAll(b, []byte("\r"), []byte("\n"))
}

// HTML is markup that is written into a page as it is. Only the output of Render and Plain, fresh or stored, may become one.
type HTML string
