package markdown

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// address is a bare address in a text: https://…, www.… or name@host. It is a node of its own because, unlike a link, it may be within the
// text of a link, where it is plain text.
type address struct {
	ast.BaseInline
	prefix string // before the text it makes a URL: "", "http://" or "mailto:"
}

var kindAddress = ast.NewNodeKind("Address")

func (*address) Kind() ast.NodeKind { return kindAddress }

func (n *address) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// url returns the address for href; "" if it is not safe there.
func (n *address) url(source []byte) string {
	return typedURL(n.prefix + unescape(n.FirstChild().(*ast.Text).Segment.Value(source)))
}

// addressParser finds bare addresses as GitHub's Markdown does (the GFM specification, "Autolinks (extension)"), and beyond it in texts
// without spaces, between quotation marks and brackets of any script, in pasted HTML and JSON, and with the backslashes that some editors
// put before underscores.
type addressParser struct{}

// Trigger is all punctuation of ASCII but ; and #, where the parser would cut an entity such as &#60;. The space means white space, and
// every place where the text continues after another element.
func (addressParser) Trigger() []byte { return []byte(" !\"$%&'()*+,-./:<=>?@[\\]^_`{|}~") }

// Parse looks for an address up to the next mark for which the parser calls it.
func (p addressParser) Parse(parent ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, segment := block.PeekLine()
	before, from := block.PrecendingCharacter(), 0
	within := continuesWord(before) || unicode.IsMark(before) && endsWord(block.Source()[:segment.Start]) // within a word
	if !alphanumeric(line[0]) && line[0] < utf8.RuneSelf {
		if line[0] == '\\' && len(line) > 1 && util.IsPunct(line[1]) { // the parser makes no call for an escaped mark
			from++
		}
		before, within = rune(line[from]), false
		from++
	}
	for from < len(line) {
		r, size := utf8.DecodeRune(line[from:])
		switch {
		case r >= utf8.RuneSelf:
			within = unicode.IsMark(r) && within || continuesWord(r)
		case r == ';' || r == '#':
			within = false
		case !alphanumeric(line[from]):
			return nil
		case !within:
			if prefix, n := addressAt(line[from:], before); n > 0 {
				return p.take(parent, block, prefix, from, n)
			}
			within = true
		}
		before = r
		from += size
	}
	return nil
}

// take makes an address node of n bytes of the line, beginning at from.
func (addressParser) take(parent ast.Node, block text.Reader, prefix string, from, n int) ast.Node {
	_, segment := block.PeekLine()
	start := segment.Start + from
	if from > 0 {
		ast.MergeOrAppendTextSegment(parent, segment.WithStop(start))
	}
	block.Advance(from + n)
	node := &address{prefix: prefix}
	node.AppendChild(node, ast.NewTextSegment(text.NewSegment(start, start+n)))
	return node
}

// addressAt returns the length of the address that line begins with, 0 for none, and the prefix that makes it a URL. before is the
// character before line.
func addressAt(line []byte, before rune) (prefix string, n int) {
	begins := func(with string) bool {
		return len(line) > len(with) && strings.EqualFold(string(line[:len(with)]), with)
	}
	const mailto = "mailto:"
	switch {
	case begins("https://"):
		return "", addressEnd(line, len("https://"), before)
	case begins("http://"):
		return "", addressEnd(line, len("http://"), before)
	case strings.ContainsRune(`.-+:/@#%&\`, before): // within another address
		return "", 0
	case begins("www."):
		return "http://", addressEnd(line, len("www."), before)
	case begins(mailto):
		if n = emailEnd(line[len(mailto):]); n > 0 {
			n += len(mailto)
		}
		return "", n
	}
	return mailto, emailEnd(line)
}

// addressEnd returns the end of an address whose host begins at host, 0 for no address. An address right behind a parenthesis or an
// apostrophe ends before the closing one.
func addressEnd(line []byte, host int, before rune) int {
	end := hostEnd(line, host)
	if end == 0 || end < len(line) && line[end] >= utf8.RuneSelf {
		return trimAddress(line, host, end)
	}
	var opened [3]int
	for end < len(line) {
		r, size := utf8.DecodeRune(line[end:])
		if stops(r) && (r != '’' || before == '‘' || !betweenLetters(line, end, end+size)) || r == '&' && isEntityOfMark(line[end:]) ||
			bytes.HasPrefix(line[end:], []byte("[^")) { // a footnote
			break
		}
		if i := strings.IndexRune("([{", r); i >= 0 {
			opened[i]++
		} else if i := strings.IndexRune(")]}", r); i >= 0 {
			if opened[i]--; opened[i] < 0 && (r != ')' || before == '(') {
				break
			}
		} else if r == '\'' && before == r {
			break
		}
		end += size
	}
	return trimAddress(line, host, end)
}

// stops reports whether a character ends an address: white space, marks that no address has, and beyond ASCII quotation marks, brackets,
// what ends sentences, and invisible characters.
func stops(r rune) bool {
	if r < utf8.RuneSelf {
		return unicode.IsSpace(r) || strings.ContainsRune("<>\"`", r)
	}
	return unicode.In(r, unicode.White_Space, unicode.Quotation_Mark, unicode.Pi, unicode.Pf, unicode.Ps, unicode.Pe,
		unicode.Terminal_Punctuation, unicode.Bidi_Control) || strings.ContainsRune("＜＞\u200b\u2060\ufeff", r)
}

// isEntityOfMark reports whether b begins with the entity of a mark that surrounds addresses in HTML: <, > or a quotation mark.
func isEntityOfMark(b []byte) bool {
	n := bytes.IndexByte(b[:min(len(b), len("&#x0022;"))], ';') + 1
	return n > 0 && bytes.IndexAny(resolve(b[:n]), `<>"'`) == 0
}

// betweenLetters reports whether the mark from start to end of line has letters on both sides. Then it is an apostrophe, not a quotation
// mark.
func betweenLetters(line []byte, start, end int) bool {
	before, _ := utf8.DecodeLastRune(line[:start])
	after, _ := utf8.DecodeRune(line[end:])
	return unicode.IsLetter(before) && unicode.IsLetter(after)
}

// hostEnd returns the end of a host that begins at start, 0 for none. A host has parts separated by dots, the last two without an
// underscore.
func hostEnd(line []byte, start int) int {
	end := hostRun(line, start)
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

// hostRun returns the end of the characters that a host may have, start if these are more than 253 bytes. Text of a script without spaces
// may follow right behind a host. So a last part that begins in ASCII ends before letters of such a script.
func hostRun(line []byte, start int) int {
	end, last, text := start, start, 0
	for end < len(line) {
		r, size := utf8.DecodeRune(line[end:])
		if !hostRune(r) {
			break
		}
		switch {
		case r == '.':
			last = end + size
		case end == last:
			text = 0
		case text == 0 && r >= utf8.RuneSelf && alphanumeric(line[end-1]) && !continuesWord(r) && !unicode.IsMark(r):
			text = end
		}
		if end += size; end-start > 253 {
			end = start
			break
		}
	}
	if text > 0 {
		return text
	}
	return end
}

// hostRune reports whether a host may have a character, as people type it: a letter, digit, mark or symbol of any script.
func hostRune(r rune) bool {
	if r < utf8.RuneSelf {
		return NameByte(byte(r)) || r == '.'
	}
	return strings.ContainsRune("·・׳״་", r) || !unicode.IsPunct(r) && !unicode.IsControl(r) && !stops(r)
}

// trimAddress cuts off an address what belongs to the sentence: punctuation at the end, parentheses that were not opened in it, and what
// looks like an entity.
func trimAddress(line []byte, host, end int) int {
	unopened := bytes.Count(line[:end], []byte{')'}) - bytes.Count(line[:end], []byte{'('})
	for end > host {
		last, size := utf8.DecodeLastRune(line[:end])
		switch {
		case strings.ContainsRune(`?!.,:*_~'"\`, last) || last >= utf8.RuneSelf && unicode.IsPunct(last):
			end -= size
		case last == ')' && unopened > 0:
			unopened--
			end--
		case last == ';':
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

// emailEnd returns the end of the email address that line begins with, 0 for none. Its first part has at most 64 bytes (RFC 5321), which
// limits the search.
func emailEnd(line []byte) int {
	at := 0
	for at < len(line) && at <= 64 && (alphanumeric(line[at]) || strings.IndexByte(".-_+", line[at]) >= 0) {
		at++
	}
	if at == 0 || at > 64 || at == len(line) || line[at] != '@' || line[0] == '.' {
		return 0
	}
	end := hostRun(line, at+1)
	for end > at+1 && line[end-1] == '.' {
		end--
	}
	host := line[at+1 : end]
	if len(host) == 0 || host[0] == '.' || bytes.IndexByte(host, '.') < 0 || strings.IndexByte("-_", host[len(host)-1]) >= 0 {
		return 0
	}
	return end
}

func alphanumeric(c byte) bool { return NameByte(c) && c != '_' && c != '-' }
