package locale

import (
	"embed"
	"errors"
	"strconv"
	"strings"
	"sync"
)

//go:embed *.po
var files embed.FS

// headerSize is the longest header of a file, up to the first blank line.
const headerSize = 4096

// languages are English and those of the files. It panics if the header of a file has a mistake, so such a program does not start.
func languages() []*Language {
	list := []*Language{English}
	entries, err := files.ReadDir(".")
	for _, entry := range entries {
		name := entry.Name()
		var l *Language
		if l, err = open(name, header(name), func() string { return textOf(name) }); err != nil {
			break
		}
		list = append(list, l)
	}
	if err != nil {
		panic(err)
	}
	return list
}

// header returns the part of a file before the first blank line. A copy of the whole file would need more memory at the start.
func header(name string) string {
	f, err := files.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	start := make([]byte, headerSize)
	n, _ := f.Read(start)
	text, _, _ := strings.Cut(string(start[:n]), "\n\n")
	return text
}

func textOf(name string) string {
	b, _ := files.ReadFile(name) // it exists
	return string(b)
}

// open makes the language of a file from its header. The rest is read when its texts are first needed, which is in few instances.
func open(name, header string, text func() string) (*Language, error) {
	l := &Language{Tag: strings.TrimSuffix(name, ".po")}
	l.texts = sync.OnceValue(func() map[Text]string {
		list, err := read(name, text())
		if err != nil {
			panic(err) // complete_test.go has parsed the file
		}
		m := make(map[Text]string, len(list))
		for _, e := range list[1:] {
			m[e.text()] = e.said
		}
		return m
	})
	list, err := read(name, header)
	if err != nil {
		return nil, err
	}
	if len(list) != 1 || list[0].text() != "" {
		return nil, mistake(name, 1, "a header and a blank line come first")
	}
	var tag, direction, plural string
	facts := map[string]*string{"Language": &tag, "Plural-Forms": &plural, "X-Plaza-Name": &l.Name, "X-Plaza-Direction": &direction,
		"X-Plaza-Thousands": &l.Thousands, "X-Plaza-Decimal": &l.Decimal, "X-Plaza-Ordinal": &l.Ordinal}
	for _, line := range strings.Split(list[0].said, "\n") {
		key, value, _ := strings.Cut(line, ": ")
		if fact, ok := facts[key]; ok {
			*fact = value
		} else if strings.HasPrefix(key, "X-Plaza-") {
			return nil, mistake(name, list[0].line, "nothing reads "+strconv.Quote(line))
		}
	}
	l.RTL = direction == "rtl"
	l.Plural, l.Forms = ruleOf(plural)
	switch {
	case tag != strings.ReplaceAll(l.Tag, "-", "_"):
		return nil, mistake(name, list[0].line, "Language is not that of the file's name")
	case l.Name == "" || l.Decimal == "":
		return nil, mistake(name, list[0].line, "X-Plaza-Name or X-Plaza-Decimal is missing")
	case direction != "" && !l.RTL:
		return nil, mistake(name, list[0].line, "X-Plaza-Direction can only be rtl")
	case l.Plural == nil:
		return nil, mistake(name, list[0].line, "plural.go has no rule for these Plural-Forms")
	}
	return l, nil
}

// entry is a text in English and in the language of the file. The first entry of a file has no text: it is the header.
type entry struct {
	line                int // the last one
	context, id, plural string
	said                string // the forms, with "|" between them
}

// text returns the entry's text as in the source.
func (e entry) text() Text {
	text := e.id
	if e.plural != "" {
		text += "|" + e.plural
	}
	if e.context != "" {
		text += "¦" + e.context
	}
	return Text(text)
}

func mistake(name string, line int, what string) error {
	return errors.New("locale/" + name + ":" + strconv.Itoa(line) + ": " + what)
}

// read parses the entries of a file in gettext's format (gnu.org/software/gettext/manual/html_node/PO-Files.html), up to the first
// mistake. An error names the file and the line.
func read(name, text string) (list []entry, err error) {
	var e entry
	last, part := "", (*string)(nil) // the last keyword, and the target of a line without one
	forms, number := 0, 0
	complete := func() bool { return last == "" || strings.HasPrefix(last, "msgstr") }
	list = make([]entry, 0, len(text)/100+1) // an estimate of their number
	for text != "" {
		var line string
		line, text, _ = strings.Cut(text, "\n")
		number++
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			if strings.HasPrefix(line, "#,") && strings.Contains(line, "fuzzy") {
				return list, mistake(name, number, "nobody is sure of this entry (fuzzy)")
			}
			continue
		}
		keyword, _, _ := strings.Cut(line, `"`)
		value, err := strconv.Unquote(line[len(keyword):])
		if err != nil {
			return list, mistake(name, number, "this is not a keyword and a text in quotes")
		}
		switch keyword = strings.TrimSpace(keyword); {
		case keyword == "" && last != "":
		case (keyword == "msgctxt" || keyword == "msgid") && complete():
			if last != "" {
				list = append(list, e)
			}
			e, forms = entry{}, 0
		case keyword == "msgid" && last == "msgctxt", (keyword == "msgid_plural" || keyword == "msgstr") && last == "msgid":
		case (last == "msgid_plural" || forms > 0) && keyword == "msgstr["+strconv.Itoa(forms)+"]":
			if forms++; forms > 1 {
				e.said += "|"
			}
		default:
			return list, mistake(name, number, strconv.Quote(keyword)+" can't stand here")
		}
		switch keyword {
		case "":
		case "msgctxt":
			part = &e.context
		case "msgid":
			part = &e.id
		case "msgid_plural":
			part = &e.plural
		default:
			part = &e.said
		}
		*part += value
		e.line = number
		if keyword != "" {
			last = keyword
		}
	}
	if last == "" || !complete() {
		return list, mistake(name, number, "the text ends within an entry")
	}
	return append(list, e), nil
}
