package render

import (
	"bytes"
	"errors"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
	g "maragu.dev/gomponents"
)

// MaxMarkdown is the longest source, in bytes, that RenderMarkdown takes.
const MaxMarkdown = 128 << 10

// ErrTooLong says that a text is longer than MaxMarkdown.
var ErrTooLong = errors.New("render: text is too long")

// markdown is CommonMark 0.31.2 without raw HTML (what looks like a tag is text), with
// bare addresses and mentions as links. It is safe for concurrent use.
var markdown = goldmark.New(
	goldmark.WithParser(parser.NewParser(
		parser.WithBlockParsers(
			util.Prioritized(parser.NewSetextHeadingParser(), 100),
			util.Prioritized(parser.NewThematicBreakParser(), 200),
			util.Prioritized(shallow{parser.NewListParser()}, 300),
			util.Prioritized(parser.NewListItemParser(), 400),
			util.Prioritized(parser.NewCodeBlockParser(), 500),
			util.Prioritized(parser.NewATXHeadingParser(), 600),
			util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
			util.Prioritized(shallow{parser.NewBlockquoteParser()}, 800),
			util.Prioritized(parser.NewParagraphParser(), 1000),
		),
		parser.WithInlineParsers(
			util.Prioritized(closedCode{parser.NewCodeSpanParser()}, 100),
			util.Prioritized(few{parser.NewLinkParser()}, 200),
			util.Prioritized(parser.NewAutoLinkParser(), 300),
			util.Prioritized(few{parser.NewEmphasisParser()}, 500),
			util.Prioritized(addressParser{}, 900),
		),
		parser.WithParagraphTransformers(
			util.Prioritized(definitions{parser.LinkReferenceParagraphTransformer}, 100),
		),
		parser.WithASTTransformers(
			util.Prioritized(transform(trimBreaks), 50),
			util.Prioritized(transform(flatten), 100),
			util.Prioritized(transform(levelHeadings), 200),
			util.Prioritized(transform(linkMentions), 300),
		),
	)),
	goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(safeRenderer{}, 100))),
)

// RenderMarkdown turns what a person wrote into safe HTML: CommonMark without raw
// HTML, tables or images (an image is a link to it). Headings start at h3. The time
// it takes grows linearly with src. The error is ErrTooLong.
func RenderMarkdown(src string) (HTML, error) {
	if len(src) > MaxMarkdown {
		return "", ErrTooLong
	}
	var out bytes.Buffer
	if err := markdown.Convert(clean(src), &out); err != nil {
		return "", err
	}
	return HTML(out.String()), nil
}

// clean replaces NUL and invalid UTF-8 as CommonMark asks, and makes every line end in
// a line feed.
func clean(src string) []byte {
	b := bytes.ToValidUTF8([]byte(src), []byte("\uFFFD"))
	b = bytes.ReplaceAll(b, []byte{0}, []byte("\uFFFD"))
	b = bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n"))
	return bytes.ReplaceAll(b, []byte("\r"), []byte("\n"))
}

func formatted(s HTML) g.Node {
	return component(func(m *markup) { m.formatted(s) })
}
