package markdown

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// address is a bare address in a text: https://…, www.… or name@host. It is a node of
// its own since, unlike links, it may stand in the text of a link, where it is text.
type address struct {
	ast.BaseInline
	before string // what makes a URL of the text: "", "http://" or "mailto:"
}

var kindAddress = ast.NewNodeKind("Address")

func (*address) Kind() ast.NodeKind { return kindAddress }

func (n *address) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// url gives the address as it may stand in href, "" when it may not.
func (n *address) url(source []byte) string {
	return typedURL(n.before + unescape(n.FirstChild().(*ast.Text).Segment.Value(source)))
}

// addressParser finds bare addresses as GitHub's Markdown does (the GFM specification,
// "Autolinks (extension)"), and beyond it after quotation marks and brackets, and with
// the backslashes that some editors put before underscores.
type addressParser struct{}

// Trigger includes the space, by which the parser means white space and every place
// where the text goes on after other marks.
func (addressParser) Trigger() []byte { return []byte{' ', '*', '_', '~', '(', '"', '\''} }

func (addressParser) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, segment := block.PeekLine()
	before, from := block.PrecendingCharacter(), 0
	if c := line[0]; c < utf8.RuneSelf && !alphanumeric(c) {
		before, from = rune(c), 1
	}
	if !unicode.IsSpace(before) && !strings.ContainsRune(`*_~("'[`, before) {
		return nil
	}
	prefix, n := addressAt(line[from:], pc.IsInLinkLabel())
	if n == 0 {
		return nil
	}
	if from > 0 {
		ast.MergeOrAppendTextSegment(parent, segment.WithStop(segment.Start+from))
	}
	block.Advance(from + n)
	start := segment.Start + from
	node := &address{before: prefix}
	node.AppendChild(node, ast.NewTextSegment(text.NewSegment(start, start+n)))
	return node
}

// addressAt gives the length of the address that line begins with, 0 when there is
// none, and what has to come before it.
func addressAt(line []byte, inLabel bool) (before string, n int) {
	for _, scheme := range []string{"https://", "http://"} {
		if len(line) > len(scheme) && strings.EqualFold(string(line[:len(scheme)]), scheme) {
			return "", addressEnd(line, len(scheme), inLabel)
		}
	}
	if len(line) > 4 && strings.EqualFold(string(line[:4]), "www.") {
		return "http://", addressEnd(line, 4, inLabel)
	}
	return "mailto:", emailEnd(line)
}

// addressEnd gives the end of an address whose host begins at host, 0 when that is none.
func addressEnd(line []byte, host int, inLabel bool) int {
	end := hostEnd(line, host)
	if end == 0 {
		return 0
	}
	opened := 0
	for end < len(line) {
		r, size := utf8.DecodeRune(line[end:])
		if unicode.IsSpace(r) || r == '<' {
			break
		}
		// In what may be the text of a link, its bracket ends the address, too.
		if r == '[' {
			opened++
		} else if r == ']' {
			if opened--; opened < 0 && inLabel {
				break
			}
		}
		end += size
	}
	return trimAddress(line, host, end)
}

// hostEnd gives the end of a host: letters, digits, hyphens and underscores in parts
// separated by dots, without an underscore in the last two, in 253 bytes at most.
func hostEnd(line []byte, start int) int {
	end := start
	for end < len(line) {
		r, size := utf8.DecodeRune(line[end:])
		if r != '.' && r != '_' && r != '-' && !wordRune(r) {
			break
		}
		if end += size; end-start > 253 {
			return 0
		}
	}
	host := line[start:end]
	if end == len(line) || strings.IndexByte("/?#:", line[end]) < 0 {
		host = bytes.TrimRight(host, "._") // what comes after the address
	}
	if len(host) == 0 || host[0] == '.' {
		return 0
	}
	from := bytes.LastIndexByte(host, '.')
	if from > 0 {
		from = bytes.LastIndexByte(host[:from], '.')
	}
	if bytes.IndexByte(host[from+1:], '_') >= 0 {
		return 0
	}
	return end
}

// trimAddress leaves what ends a sentence rather than an address out of it: closing
// punctuation, parentheses that were not opened in it, what looks like an entity.
func trimAddress(line []byte, host, end int) int {
	unopened := bytes.Count(line[:end], []byte{')'}) - bytes.Count(line[:end], []byte{'('})
	for end > host {
		switch c := line[end-1]; {
		case strings.IndexByte(`?!.,:*_~'"\`, c) >= 0:
			end--
		case c == ')' && unopened > 0:
			unopened--
			end--
		case c == ';':
			at := end - 1
			for at > host && alphanumeric(line[at-1]) {
				at--
			}
			if at == end-1 || line[at-1] != '&' {
				return end
			}
			end = at - 1
		default:
			return end
		}
	}
	return 0
}

// emailEnd gives the end of the email address that line begins with, 0 when there is
// none. Its first part has 64 bytes at most (RFC 5321), which bounds the search.
func emailEnd(line []byte) int {
	at := 0
	for at < len(line) && at <= 64 && (alphanumeric(line[at]) || strings.IndexByte(".-_+", line[at]) >= 0) {
		at++
	}
	if at == 0 || at > 64 || at == len(line) || line[at] != '@' || line[0] == '.' {
		return 0
	}
	end := at + 1
	for end < len(line) && end < at+256 && (alphanumeric(line[end]) || strings.IndexByte(".-_", line[end]) >= 0) {
		end++
	}
	for end > at+1 && line[end-1] == '.' {
		end--
	}
	host := line[at+1 : end]
	if len(host) == 0 || host[0] == '.' || bytes.IndexByte(host, '.') < 0 || !alphanumeric(host[len(host)-1]) {
		return 0
	}
	return end
}

func alphanumeric(c byte) bool { return NameByte(c) && c != '_' && c != '-' }
