package locale

import (
	"cmp"
	"strconv"
	"strings"
	"time"
)

// Language is a language of the interface.
type Language struct {
	Tag  string // BCP 47
	Name string // in the language itself
	RTL  bool   // it is written from right to left

	Thousands, Decimal string // separators of groups of digits, and of a fraction
	Ordinal            string // the suffix of the day of a month

	Plural func(n int64) int // the index of the form of a text for a number from 0
	Forms  int               // how many forms there are

	texts  func() map[Text]string // the file's translations; nil for English
	change func(string) string    // makes the texts of a language for tests; nil for others
}

// Units are the suffixes of numbers for how long ago something was.
var Units = struct{ Minute, Hour, Day, Month, Year Text }{"m¦unit", "h¦unit", "d¦unit", "\u00a0mo¦unit", "\u00a0y¦unit"}

var months = [12]Text{"January¦month", "February¦month", "March¦month", "April¦month", "May¦month", "June¦month", "July¦month",
	"August¦month", "September¦month", "October¦month", "November¦month", "December¦month"}

var shortMonths = [12]Text{"Jan¦short month", "Feb¦short month", "Mar¦short month", "Apr¦short month", "May¦short month",
	"Jun¦short month", "Jul¦short month", "Aug¦short month", "Sep¦short month", "Oct¦short month", "Nov¦short month", "Dec¦short month"}

// English is the language of the source.
var English = &Language{Tag: "en", Name: "English", Thousands: ",", Decimal: ".", Plural: oneOrOther, Forms: 2}

// Languages are the languages to choose from: English, and those of the files. The first is the default.
var Languages = languages()

// Find returns the language of a tag, nil for none.
func Find(tag string) *Language {
	for _, l := range Languages {
		if l.Tag == tag {
			return l
		}
	}
	return nil
}

// Asked returns the language for a header Accept-Language (RFC 9110, 12.5.4): the one with the greatest weight, the first of equal ones.
// A region or script that no language has is ignored: de-AT means German. It is English if none of the languages is in the header.
func Asked(header string) *Language {
	best, most := English, 0.0
	for _, part := range strings.Split(header, ",") {
		tag, parameter, weighed := strings.Cut(strings.TrimSpace(part), ";")
		weight := 1.0
		if weighed {
			q, err := strconv.ParseFloat(strings.TrimPrefix(strings.TrimSpace(parameter), "q="), 64)
			if err != nil {
				continue
			}
			weight = q
		}
		main, _, _ := strings.Cut(tag, "-")
		if l := cmp.Or(Find(tag), Find(strings.ToLower(main))); l != nil && weight > most {
			best, most = l, weight
		}
	}
	return best
}

// Template returns a text in this language as the dictionary has it, for scripts, which fill it in themselves.
func (l *Language) Template(t Text) string { return l.template(string(t), 0, false) }

// Unit returns one of Units in this language.
func (l *Language) Unit(unit Text) string { return l.said(unit) }

// ShortMonth returns the short name of a month in this language.
func (l *Language) ShortMonth(month time.Month) string { return l.said(shortMonths[month-1]) }

// mark begins the part of a text that tells translators which of two equal texts it is.
const mark = "¦"

// said returns the translation in the dictionary, without the mark behind "¦".
func (l *Language) said(t Text) string {
	said := string(t)
	if l.texts != nil {
		if local, ok := l.texts()[t]; ok {
			said = local
		}
	}
	if strings.IndexByte(said, mark[0]) >= 0 { // few texts have a mark, and to look for one byte is fast
		said, _, _ = strings.Cut(said, mark)
	}
	return said
}

// template returns a template in this language, without its mark behind "¦". If counted, it is the form for n.
func (l *Language) template(template string, n int64, counted bool) string {
	said := l.said(Text(template))
	if l.change != nil {
		said = l.change(said)
	}
	if counted {
		for form := l.Plural(max(n, -n)); form > 0; form-- {
			_, rest, ok := strings.Cut(said, "|")
			if !ok {
				break
			}
			said = rest
		}
		said, _, _ = strings.Cut(said, "|")
	}
	return said
}

// Say translates a text.
func (l *Language) Say(t Text) string {
	if t == "" {
		return ""
	}
	switch t[0] {
	case verbatim:
		return string(t[1:])
	case withArguments:
		template, arguments := t.parts()
		var b strings.Builder
		b.Grow(2 * len(template))
		l.Each(Text(template), numberOf(arguments), func(s string) { b.WriteString(s) }, func(i int) {
			if i < len(arguments) {
				b.WriteString(l.argument(arguments[i]))
			}
		})
		return b.String()
	}
	return l.template(string(t), 0, false)
}

// Number is a whole number that selects the form of a text; Known reports whether there is one.
type Number struct {
	N     int64
	Known bool
}

// NumberAmong returns the first whole number among arguments of a text.
func NumberAmong(arguments []any) Number {
	for _, a := range arguments {
		switch n := a.(type) {
		case int:
			return Number{int64(n), true}
		case int64:
			return Number{n, true}
		}
	}
	return Number{}
}

func numberOf(arguments []argument) Number {
	for _, a := range arguments {
		if a.kind == kindNumber {
			n, _ := strconv.ParseInt(a.value, 10, 64)
			return Number{n, true}
		}
	}
	return Number{}
}

// Around returns the parts of a text before and after its only placeholder; ok is false if it has none. It is a faster Each for such texts.
func (l *Language) Around(template Text, n Number) (before, after string, ok bool) {
	before, rest, ok := strings.Cut(l.template(string(template), n.N, n.Known), "{")
	_, after, _ = strings.Cut(rest, "}")
	return before, after, ok
}

// Each visits a template in this language. It calls words with the parts between the arguments, and argument with the index of each
// argument.
func (l *Language) Each(template Text, n Number, words func(string), argument func(int)) {
	said := l.template(string(template), n.N, n.Known)
	next := 0
	for {
		before, rest, ok := strings.Cut(said, "{")
		if before != "" {
			words(before)
		}
		if !ok {
			return
		}
		index, after, _ := strings.Cut(rest, "}")
		i := next
		if index != "" { // an error of Atoi would cost an allocation
			i, _ = strconv.Atoi(index)
		}
		next++
		argument(i)
		said = after
	}
}

func (l *Language) argument(a argument) string {
	switch a.kind {
	case kindNumber:
		n, _ := strconv.ParseInt(a.value, 10, 64)
		return string(l.AppendNumber(nil, n))
	case kindText:
		return l.Say(Text(a.value))
	case kindDay:
		return l.day(a.value)
	case kindMoment:
		return l.moment(a.value)
	}
	return a.value
}

// AppendNumber appends a whole number with its thousands grouped: 12,345.
func (l *Language) AppendNumber(b []byte, n int64) []byte {
	u := uint64(n)
	if n < 0 {
		b = append(b, '-')
		u = -u
	}
	var digits [20]byte
	all := strconv.AppendUint(digits[:0], u, 10)
	for i, digit := range all {
		if i > 0 && (len(all)-i)%3 == 0 {
			b = append(b, l.Thousands...)
		}
		b = append(b, digit)
	}
	return b
}

// Day formats the day of a time, as 2 January 2006.
func (l *Language) Day(t time.Time) string { return l.day(t.Format("2006-01-02")) }

// day formats 2006-01-02 as 2 January 2006.
func (l *Language) day(iso string) string {
	year, month, day := dateOf(iso)
	return day + l.Ordinal + " " + l.said(months[month-1]) + " " + year
}

// moment formats 2006-01-02 15:04 CET as 2 Jan 2006, 15:04 CET.
func (l *Language) moment(s string) string {
	date, clock, _ := strings.Cut(s, " ")
	year, month, day := dateOf(date)
	return day + l.Ordinal + " " + l.ShortMonth(month) + " " + year + ", " + clock
}

func dateOf(iso string) (year string, month time.Month, day string) {
	parts := strings.SplitN(iso, "-", 3)
	number, _ := strconv.Atoi(parts[1])
	return parts[0], time.Month(number), strings.TrimPrefix(parts[2], "0")
}
