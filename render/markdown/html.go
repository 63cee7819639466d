package markdown

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	extension "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

// safeRenderer renders all nodes with an address, those with a writing direction of their own, and those that are not CommonMark. Addresses
// go through SafeURL; a link whose address is not safe becomes its text. With dir=auto, browsers find the direction.
type safeRenderer struct{}

func (safeRenderer) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	reg.Register(ast.KindLink, renderLink)
	reg.Register(ast.KindImage, renderImage)
	reg.Register(ast.KindAutoLink, renderAutoLink)
	reg.Register(kindAddress, renderAddress)
	reg.Register(ast.KindList, renderList)
	reg.Register(ast.KindBlockquote, renderQuote)
	reg.Register(ast.KindCodeBlock, renderCode)
	reg.Register(ast.KindFencedCodeBlock, renderCode)
	reg.Register(extension.KindStrikethrough, renderStrike)
	reg.Register(extension.KindTable, renderTable)
	reg.Register(extension.KindTableHeader, renderTableHeader)
	reg.Register(extension.KindTableRow, renderTableRow)
	reg.Register(extension.KindTableCell, renderTableCell)
	reg.Register(kindSpoiler, renderSpoiler)
	reg.Register(kindSpoilerParagraph, renderSpoilerParagraph)
	reg.Register(kindFootnoteRef, renderFootnoteRef)
	reg.Register(kindFootnoteBacklink, renderFootnoteBacklink)
	reg.Register(kindFootnoteList, renderFootnoteList)
	reg.Register(kindFootnote, renderFootnote)
}

func renderList(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	list, name := node.(*ast.List), "ul"
	if list.IsOrdered() {
		name = "ol"
	}
	switch {
	case !entering:
		_, _ = w.WriteString("</" + name + ">\n")
	case list.IsOrdered() && list.Start != 1:
		_, _ = w.WriteString(`<ol start="` + strconv.Itoa(list.Start) + "\" dir=\"auto\">\n")
	default:
		_, _ = w.WriteString("<" + name + " dir=\"auto\">\n")
	}
	return ast.WalkContinue, nil
}

func renderQuote(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		_, _ = w.WriteString("<blockquote dir=\"auto\">\n")
	} else {
		_, _ = w.WriteString("</blockquote>\n")
	}
	return ast.WalkContinue, nil
}

// renderCode writes a block that can be reached and scrolled with the keyboard.
func renderCode(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		_, _ = w.WriteString(`<pre tabindex="0" dir="auto"><code>`)
		_, _ = w.Write(util.EscapeHTML(node.Lines().Value(source)))
		_, _ = w.WriteString("</code></pre>\n")
	}
	return ast.WalkSkipChildren, nil
}

func renderLink(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	link := node.(*ast.Link)
	address := linkURL(link.Destination)
	switch {
	case address == "" || linked(node):
	case entering:
		openLink(w, address, unescape(link.Title))
	default:
		closeLink(w)
	}
	return ast.WalkContinue, nil
}

// renderImage writes a link to the image; its text is the image's description, without markup.
func renderImage(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	image := node.(*ast.Image)
	var alt strings.Builder
	for child := node.FirstChild(); child != nil; child = child.NextSibling() {
		plainText(&alt, child, source)
	}
	address := linkURL(image.Destination)
	live := address != "" && !linked(node)
	if live {
		openLink(w, address, unescape(image.Title))
		if strings.TrimSpace(alt.String()) == "" {
			alt.WriteString("image")
		}
	}
	_, _ = w.Write(util.EscapeHTML([]byte(alt.String())))
	if live {
		closeLink(w)
	}
	return ast.WalkSkipChildren, nil
}

func renderAutoLink(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	link := node.(*ast.AutoLink)
	label := link.Label(source)
	address := string(label)
	if link.AutoLinkType == ast.AutoLinkEmail {
		address = "mailto:" + address
	}
	address = typedURL(address)
	if address == "" || linked(node) {
		_, _ = w.Write(util.EscapeHTML(label))
		return ast.WalkContinue, nil
	}
	openLink(w, address, "")
	_, _ = w.Write(util.EscapeHTML(label))
	closeLink(w)
	return ast.WalkContinue, nil
}

func renderAddress(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	url := node.(*address).url(source)
	switch {
	case url == "" || linked(node):
	case entering:
		openLink(w, url, "")
	default:
		closeLink(w)
	}
	return ast.WalkContinue, nil
}

// linkURL returns the address of a link for href; "" if it is not safe there. It adds the scheme to an address such as www.example.org, as
// for bare addresses in a text.
func linkURL(destination []byte) string {
	typed := unescape(destination)
	if prefix, n := addressAt([]byte(typed), ' '); n > 0 {
		typed = prefix + typed
	}
	return typedURL(typed)
}

// typedURL encodes an address that somebody typed for an href attribute; "" if it is not a safe link. Characters that addresses can't have
// are percent-encoded.
func typedURL(s string) string {
	parts := apartEscapes(strings.TrimSpace(s))
	for i, part := range parts {
		parts[i] = string(util.URLEscape([]byte(part), false))
	}
	return SafeURL(strings.Join(parts, "%"))
}

// unescape resolves the backslashes and entities that CommonMark allows in texts, addresses and titles.
func unescape(raw []byte) string {
	if bytes.IndexByte(raw, '\\') < 0 && bytes.IndexByte(raw, '&') < 0 {
		return string(raw)
	}
	var b strings.Builder
	from := 0
	for i := 0; i+1 < len(raw); i++ {
		if raw[i] == '\\' && util.IsPunct(raw[i+1]) {
			b.Write(resolve(raw[from:i]))
			b.WriteByte(raw[i+1])
			i++
			from = i + 1
		}
	}
	b.Write(resolve(raw[from:]))
	return b.String()
}

func resolve(raw []byte) []byte {
	return util.ResolveEntityNames(util.ResolveNumericReferences(raw))
}

// linked reports whether a link surrounds the node: links do not nest in HTML.
func linked(node ast.Node) bool {
	for p := node.Parent(); p != nil && p.Type() == ast.TypeInline; p = p.Parent() {
		if p.Kind() == ast.KindLink {
			return true
		}
	}
	return false
}

func openLink(w util.BufWriter, address, title string) {
	_, _ = w.WriteString(`<a href="`)
	_, _ = w.Write(util.EscapeHTML([]byte(address)))
	if title != "" {
		_, _ = w.WriteString(`" title="`)
		_, _ = w.Write(util.EscapeHTML([]byte(title)))
	}
	if address[0] == '/' || address[0] == '#' {
		_, _ = w.WriteString(`">`)
		return
	}
	_, _ = w.WriteString(`" rel="nofollow ugc noopener">`)
}

func closeLink(w util.BufWriter) { _, _ = w.WriteString("</a>") }
