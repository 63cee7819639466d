package locale

import (
	"strconv"
	"strings"
	"time"
)

// Text is a text of the interface. A constant is the English text. The results of With and Verbatim begin with a mark.
type Text string

// First bytes of a Text that is no constant.
const (
	withArguments = '\x01' // then the template and the arguments, each as its kind, its length, ":" and its value
	verbatim      = '\x02' // then a text that is the same in all languages
)

// Kinds of arguments.
const (
	kindTemplate = 'x'
	kindString   = 's'
	kindNumber   = 'n'
	kindText     = 't'
	kindDay      = 'd' // 2006-01-02
	kindMoment   = 'm' // 2006-01-02 15:04 and the name of the time zone
)

// Verbatim returns a text that is the same in all languages, such as the name of a member.
func Verbatim(s string) Text {
	if s == "" {
		return ""
	}
	return Text(string(verbatim) + s)
}

// With returns a text with arguments for its "{}": of type string, int, int64, Text, Day or Moment. It panics for other types.
func With(template Text, arguments ...any) Text {
	b := append(make([]byte, 0, len(template)+32*len(arguments)+16), withArguments) // enough for most
	b = appendArgument(b, kindTemplate, string(template))
	for _, argument := range arguments {
		switch v := argument.(type) {
		case string:
			b = appendArgument(b, kindString, v)
		case int:
			b = appendArgument(b, kindNumber, strconv.Itoa(v))
		case int64:
			b = appendArgument(b, kindNumber, strconv.FormatInt(v, 10))
		case Text:
			b = appendArgument(b, kindText, string(v))
		case Day:
			b = appendArgument(b, kindDay, time.Time(v).Format("2006-01-02"))
		case Moment:
			b = appendArgument(b, kindMoment, time.Time(v).Format("2006-01-02 15:04")+" "+zoneName(time.Time(v)))
		default:
			panic("locale: an argument that is no text: " + string(template))
		}
	}
	return Text(b)
}

// Day is an argument that is shown as a day, and Moment one that is shown to the minute, both in the time's own zone.
type (
	Day    time.Time
	Moment time.Time
)

// zoneName returns the name of a time's zone, such as CET, or if it has none the difference, such as UTC+08.
func zoneName(t time.Time) string {
	name, _ := t.Zone()
	if strings.HasPrefix(name, "+") || strings.HasPrefix(name, "-") {
		return "UTC" + name
	}
	return name
}

func appendArgument(b []byte, kind byte, value string) []byte {
	b = strconv.AppendInt(append(b, kind), int64(len(value)), 10)
	return append(append(b, ':'), value...)
}

// argument is an argument as a Text stores it.
type argument struct {
	kind  byte
	value string
}

// parts splits a text into its template and its arguments.
func (t Text) parts() (template string, arguments []argument) {
	if t == "" || t[0] != withArguments {
		return string(t), nil
	}
	rest := string(t[1:])
	for rest != "" {
		kind := rest[0]
		length, tail, _ := strings.Cut(rest[1:], ":")
		n, err := strconv.Atoi(length)
		if err != nil || n < 0 || n > len(tail) {
			return template, arguments // not a text of With
		}
		if kind == kindTemplate {
			template = tail[:n]
		} else {
			arguments = append(arguments, argument{kind, tail[:n]})
		}
		rest = tail[n:]
	}
	return template, arguments
}

// Typed returns the strings in a text that are the same in all languages.
func (t Text) Typed() (list []string) {
	if t != "" && t[0] == verbatim {
		return []string{string(t[1:])}
	}
	_, arguments := t.parts()
	for _, a := range arguments {
		switch a.kind {
		case kindString:
			list = append(list, a.value)
		case kindText:
			list = append(list, Text(a.value).Typed()...)
		}
	}
	return list
}

// String returns the text in English.
func (t Text) String() string { return English.Say(t) }

// MarshalText returns the text in English, for machine-readable formats.
func (t Text) MarshalText() ([]byte, error) { return []byte(t.String()), nil }
