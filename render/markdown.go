package render

import (
	"bytes"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
	g "maragu.dev/gomponents"
)

// MaxMarkdown is the longest source, in bytes, that RenderMarkdown takes.
const MaxMarkdown = 128 << 10

// ErrTooLong says that a text is longer than MaxMarkdown.
var ErrTooLong = errors.New("render: text is too long")

// markdown is CommonMark without raw HTML (what looks like a tag is text), with bare
// addresses and mentions as links. It is safe for concurrent use.
var markdown = goldmark.New(
	goldmark.WithParser(parser.NewParser(
		parser.WithBlockParsers(
			util.Prioritized(parser.NewSetextHeadingParser(), 100),
			util.Prioritized(parser.NewThematicBreakParser(), 200),
			util.Prioritized(parser.NewListParser(), 300),
			util.Prioritized(parser.NewListItemParser(), 400),
			util.Prioritized(parser.NewCodeBlockParser(), 500),
			util.Prioritized(parser.NewATXHeadingParser(), 600),
			util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
			util.Prioritized(parser.NewBlockquoteParser(), 800),
			util.Prioritized(parser.NewParagraphParser(), 1000),
		),
		parser.WithInlineParsers(
			util.Prioritized(parser.NewCodeSpanParser(), 100),
			util.Prioritized(parser.NewLinkParser(), 200),
			util.Prioritized(parser.NewAutoLinkParser(), 300),
			util.Prioritized(parser.NewEmphasisParser(), 500),
			util.Prioritized(extension.NewLinkifyParser(extension.WithLinkifyAllowedProtocols([]string{"http:", "https:"})), 999),
		),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
		parser.WithASTTransformers(
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
	if err := markdown.Convert(bound(src), &out); err != nil {
		return "", err
	}
	return HTML(out.String()), nil
}

// PlainExcerpt gives the first n characters (runes) of the text without its markup,
// cut at a word and ended by an ellipsis when there is more. It reads only as much
// of src as that takes.
func PlainExcerpt(src string, n int) string {
	head, more := src, false
	if limit := 4*n + 512; len(head) > limit {
		for limit > 0 && !utf8.RuneStart(head[limit]) {
			limit--
		}
		head, more = head[:limit], true
	}
	source := bound(head)
	var b strings.Builder
	doc := markdown.Parser().Parse(text.NewReader(source))
	_ = ast.Walk(doc, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			plain(&b, node, source)
		}
		return ast.WalkContinue, nil
	})
	runes := []rune(strings.Join(strings.Fields(b.String()), " "))
	if len(runes) <= n {
		if more && len(runes) > 0 {
			return string(runes) + "…"
		}
		return string(runes)
	}
	cut := n
	for i := n; i > n-20 && i > 0; i-- {
		if runes[i] == ' ' {
			cut = i
			break
		}
	}
	return strings.TrimRight(string(runes[:cut]), " ,;:") + "…"
}

// plain writes the text of one node.
func plain(b *strings.Builder, node ast.Node, source []byte) {
	switch node := node.(type) {
	case *ast.Text:
		b.Write(util.UnescapePunctuations(util.ResolveEntityNames(util.ResolveNumericReferences(node.Segment.Value(source)))))
		if node.SoftLineBreak() || node.HardLineBreak() {
			b.WriteByte(' ')
		}
	case *ast.String:
		b.Write(node.Value)
	case *ast.AutoLink:
		b.Write(node.Label(source))
	case *ast.CodeBlock, *ast.FencedCodeBlock:
		b.WriteByte(' ')
		b.Write(node.Lines().Value(source))
	default:
		if node.Type() == ast.TypeBlock {
			b.WriteByte(' ')
		}
	}
}

func formatted(s HTML) g.Node {
	return component(func(m *markup) { m.formatted(s) })
}

// safeRenderer renders everything with an address, through safeURL (a link that is
// not safe becomes its text), and blocks of code.
type safeRenderer struct{}

func (safeRenderer) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	reg.Register(ast.KindLink, renderLink)
	reg.Register(ast.KindImage, renderImage)
	reg.Register(ast.KindAutoLink, renderAutoLink)
	reg.Register(ast.KindCodeBlock, renderCode)
	reg.Register(ast.KindFencedCodeBlock, renderCode)
}

// renderCode makes a block that can be reached and scrolled with the keyboard.
func renderCode(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		_, _ = w.WriteString(`<pre tabindex="0"><code>`)
		_, _ = w.Write(util.EscapeHTML(node.Lines().Value(source)))
		_, _ = w.WriteString("</code></pre>\n")
	}
	return ast.WalkSkipChildren, nil
}

func renderLink(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	address := safeURL(destination(node.(*ast.Link).Destination))
	switch {
	case address == "" || linked(node):
	case entering:
		openLink(w, address)
	default:
		_, _ = w.WriteString("</a>")
	}
	return ast.WalkContinue, nil
}

func renderImage(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	address := safeURL(destination(node.(*ast.Image).Destination))
	live := address != "" && !linked(node)
	switch {
	case !entering && live:
		_, _ = w.WriteString("</a>")
	case entering && live:
		openLink(w, address)
		if !node.HasChildren() {
			_, _ = w.WriteString("image")
		}
	}
	return ast.WalkContinue, nil
}

func renderAutoLink(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	link := node.(*ast.AutoLink)
	address := string(link.URL(source))
	if link.AutoLinkType == ast.AutoLinkEmail && !strings.HasPrefix(strings.ToLower(address), "mailto:") {
		address = "mailto:" + address
	}
	address = safeURL(address)
	if address == "" || linked(node) {
		_, _ = w.Write(util.EscapeHTML(link.Label(source)))
		return ast.WalkContinue, nil
	}
	openLink(w, address)
	_, _ = w.Write(util.EscapeHTML(link.Label(source)))
	_, _ = w.WriteString("</a>")
	return ast.WalkContinue, nil
}

// destination resolves the escapes that CommonMark allows in an address.
func destination(raw []byte) string {
	return string(util.UnescapePunctuations(util.ResolveEntityNames(util.ResolveNumericReferences(raw))))
}

// linked tells whether a link surrounds the node: links do not nest in HTML.
func linked(node ast.Node) bool {
	for p := node.Parent(); p != nil && p.Type() == ast.TypeInline; p = p.Parent() {
		if p.Kind() == ast.KindLink || p.Kind() == ast.KindImage {
			return true
		}
	}
	return false
}

func openLink(w util.BufWriter, address string) {
	_, _ = w.WriteString(`<a href="`)
	_, _ = w.Write(util.EscapeHTML([]byte(address)))
	if address[0] == '/' || address[0] == '#' {
		_, _ = w.WriteString(`">`)
		return
	}
	_, _ = w.WriteString(`" rel="nofollow ugc noopener">`)
}
