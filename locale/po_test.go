package locale

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// head is the header of a file, in seven lines.
const head = `msgid ""
msgstr ""
"Language: de\n"
"Content-Type: text/plain; charset=UTF-8\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\n"
"X-Plaza-Name: Deutsch\nX-Plaza-Thousands: .\nX-Plaza-Decimal: ,\nX-Plaza-Ordinal: .\n"

`

// TestANewLanguageIsOneFile: the file has everything about the language; the header has what is no text.
func TestANewLanguageIsOneFile(t *testing.T) {
	file := strings.NewReplacer("Language: de", "Language: ar_EG", "Deutsch", "العربية", `X-Plaza-Ordinal: .\n`, `X-Plaza-Direction: rtl\n`,
		"nplurals=2; plural=(n != 1);", "nplurals=6; plural=n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5;").
		Replace(head) + `msgid "Edit"
msgstr "تحرير"

msgid "{} day"
msgid_plural "{} days"
msgstr[0] "a"
msgstr[1] "b"
msgstr[2] "c"
msgstr[3] "{} d"
msgstr[4] "{} e"
msgstr[5] "{} f"
`
	l, err := open("ar-EG.po", strings.Split(file, "\n\n")[0], func() string { return file })
	require.NoError(t, err)
	assert.Empty(t, mistakes(l, file, map[Text]string{"Edit": "page.go", "{} day|{} days": "page.go"}))
	assert.True(t, l.RTL)
	assert.Equal(t, []string{"ar-EG", "العربية", ".", ",", ""}, []string{l.Tag, l.Name, l.Thousands, l.Decimal, l.Ordinal})
	assert.Equal(t, 6, l.Forms)
	assert.Equal(t, "تحرير", l.Say("Edit"))
	for n, want := range map[int]string{0: "a", 1: "b", 2: "c", 3: "3 d", 11: "11 e", 100: "100 f"} {
		assert.Equal(t, want, l.Say(With("{} day|{} days", n)))
	}
}

// TestLanguagesAreTheFiles: each file of the folder is a language to choose, after English.
func TestLanguagesAreTheFiles(t *testing.T) {
	paths, err := filepath.Glob("*.po")
	require.NoError(t, err)
	assert.Same(t, English, Languages[0])
	assert.Len(t, Languages, 1+len(paths))
	for i, path := range paths {
		assert.Equal(t, path, Languages[i+1].Tag+".po")
	}
	assert.Equal(t, "de Deutsch . , . false 2", fmt.Sprint(german.Tag, " ", german.Name, " ", german.Thousands, " ", german.Decimal, " ", german.Ordinal,
		" ", german.RTL, " ", german.Forms))
}

// TestMistakesInFiles: an error about a file has the line.
func TestMistakesInFiles(t *testing.T) {
	places := map[Text]string{"Edit": "page.go:7", "{} day|{} days": "page.go:8", "Post¦verb": "page.go:9"}
	const edit, days, post = "msgid \"Edit\"\nmsgstr \"Bearbeiten\"\n",
		"msgid \"{} day\"\nmsgid_plural \"{} days\"\nmsgstr[0] \"ein Tag\"\nmsgstr[1] \"{} Tage\"\n", "msgctxt \"verb\"\nmsgid \"Post\"\nmsgstr \"Posten\"\n"
	for _, tt := range []struct{ file, want string }{
		{head + edit + days + post, ""},
		{head + edit + days, `locale/de.po lacks "Post¦verb" of page.go:9`},
		{head + edit + days + post + edit, `locale/de.po:18: "Edit" stands in line 9 as well`},
		{head + days + post + "msgid \"Edit\"\nmsgstr \"\"\n", `locale/de.po:16: "Edit" is not translated`},
		{head + edit + days + post + "msgid \"Old\"\nmsgstr \"Alt\"", `locale/de.po:18: nothing says "Old"`},
		{head + edit + post + strings.ReplaceAll(days, "{} Tage", "Tage"), `locale/de.po:16: the arguments of "Tage" are not those of "{} day|{} days"`},
		{head + edit + post + strings.ReplaceAll(days, "ein Tag", "{1} Tag"), `locale/de.po:16: the arguments of "{1} Tag" are not those of "{} day|{} days"`},
		{head + edit + post + strings.ReplaceAll(days, "msgstr[1] \"{} Tage\"\n", ""), `locale/de.po:15: "ein Tag" is not UTF-8, has “¦”, or has another number of forms than 2`},
		{head + days + post + strings.ReplaceAll(edit, "ten", "ten "), `locale/de.po:16: spaces around "Bearbeiten "`},
		{head + days + post + strings.ReplaceAll(edit, "ten", "ten|"), `locale/de.po:16: "Bearbeiten|" is not UTF-8, has “¦”, or has another number of forms than 2`},
		{head + days + post + strings.ReplaceAll(edit, "ten", `ten\xff`), `locale/de.po:16: "Bearbeiten\xff" is not UTF-8, has “¦”, or has another number of forms than 2`},
		{head + "#, fuzzy\n" + edit, "locale/de.po:8: nobody is sure of this entry (fuzzy)"},
		{head + "msgid \"Edit\"\n\nmsgid \"Old\"\n", `locale/de.po:10: "msgid" can't stand here`},
		{head + "msgid \"Edit\"\nmsgstr[0] \"Bearbeiten\"", `locale/de.po:9: "msgstr[0]" can't stand here`},
		{head + strings.ReplaceAll(days, "[1]", "[2]"), `locale/de.po:11: "msgstr[2]" can't stand here`},
		{head + strings.ReplaceAll(days, "[1]", ""), `locale/de.po:11: "msgstr" can't stand here`},
		{head + edit + "msgstrr \"x\"", `locale/de.po:10: "msgstrr" can't stand here`},
		{head + "msgid \"Edit\"\nmsgstr Bearbeiten", "locale/de.po:9: this is not a keyword and a text in quotes"},
		{head + "msgid \"Edit\"\nmsgstr \"Bearb\"eiten\"", "locale/de.po:9: this is not a keyword and a text in quotes"},
		{head + "msgid \"Edit\"\n", "locale/de.po:8: the text ends within an entry"},
		{head + edit + days + post + head, `locale/de.po:22: nothing says ""`},
		{strings.ReplaceAll(head, "UTF-8", "latin1") + edit + days + post, "locale/de.po:6: the header lacks charset=UTF-8"},
	} {
		assert.Equal(t, tt.want, strings.Join(mistakes(german, tt.file, places), "\n"), tt.file)
	}
	for file, want := range map[string]string{
		strings.ReplaceAll(head, "Language: de", "Language: fr"):       "locale/de.po:6: Language is not that of the file's name",
		strings.ReplaceAll(head, "n != 1", "n != 2"):                   "locale/de.po:6: plural.go has no rule for these Plural-Forms",
		strings.ReplaceAll(head, "X-Plaza-Ordinal", "X-Plaza-Ordinel"): `locale/de.po:6: nothing reads "X-Plaza-Ordinel: ."`,
		strings.ReplaceAll(head, `Name: Deutsch\n`, `Name: \n`):        "locale/de.po:6: X-Plaza-Name or X-Plaza-Decimal is missing",
		strings.ReplaceAll(head, "Ordinal: .", "Direction: left"):      "locale/de.po:6: X-Plaza-Direction can only be rtl",
		strings.ReplaceAll(head, "msgstr", "msgst"):                    `locale/de.po:2: "msgst" can't stand here`,
		edit: "locale/de.po:1: a header and a blank line come first",
		"":   "locale/de.po:0: the text ends within an entry",
	} {
		_, err := open("de.po", file, nil)
		assert.EqualError(t, err, want)
	}
	l, err := open("de.po", head, func() string { return head + "msgid" })
	require.NoError(t, err)
	assert.PanicsWithError(t, "locale/de.po:8: this is not a keyword and a text in quotes", func() { l.Say("Edit") }, "not silently in English")
}
