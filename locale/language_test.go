package locale

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var german = Find("de")

// small is a language with a few words.
func small(t *testing.T) *Language {
	l, err := open("de.po", head, func() string {
		return head + `
msgctxt "verb"
msgid "Post"
msgstr "Posten"

# A comment
#: and where it stands
msgctxt "noun"
msgid "Post"
msgstr "Beitrag"
msgid "{} reply"
msgid_plural "{} replies"
msgstr[0] "{} Antwort"
msgstr[1] ""
"{} "
"Antworten"

msgid "{} wrote {} replies"
msgstr "{1} Antworten von {0}"
#~ msgid "old"
#~ msgstr "alt"
msgid "on {}"
msgstr "am {}"

msgctxt "month"
msgid "March"
msgstr "März"

msgctxt "short month"
msgid "Mar"
msgstr "\"März\""
`
	})
	require.NoError(t, err)
	return l
}

func TestSay(t *testing.T) {
	l := small(t)
	at := time.Date(2026, 3, 4, 15, 4, 0, 0, time.FixedZone("+08", 8*3600))
	for _, tt := range []struct {
		text          Text
		english, here string
	}{
		{"", "", ""},
		{"Post¦verb", "Post", "Posten"},
		{"Post¦noun", "Post", "Beitrag"},
		{"What nobody has translated", "What nobody has translated", "What nobody has translated"},
		{Verbatim("Post¦verb {} | x"), "Post¦verb {} | x", "Post¦verb {} | x"},
		{With("{} reply|{} replies", 1), "1 reply", "1 Antwort"},
		{With("{} reply|{} replies", 0), "0 replies", "0 Antworten"},
		{With("{} reply|{} replies", int64(12345)), "12,345 replies", "12.345 Antworten"},
		{With("{} wrote {} replies", "ann {} | x", 2), "ann {} | x wrote 2 replies", "2 Antworten von ann {} | x"},
		{With("on {}", Day(at)), "on 4 March 2026", "am 4. März 2026"},
		{With("on {}", Moment(at)), "on 4 Mar 2026, 15:04 UTC+08", `am 4. "März" 2026, 15:04 UTC+08`},
		{With("on {}", With("{} reply|{} replies", 1)), "on 1 reply", "am 1 Antwort"},
		{With("on {}", Verbatim("x\x00y")), "on x\x00y", "am x\x00y"},
		{With("on {}"), "on ", "am "},
	} {
		assert.Equal(t, tt.english, tt.text.String())
		assert.Equal(t, tt.here, l.Say(tt.text), "%q", string(tt.text))
	}
	assert.Panics(t, func() { With("on {}", 1.5) }, "no kind of argument")
	b, err := json.Marshal(map[string]any{"message": With("{} reply|{} replies", 2)})
	require.NoError(t, err)
	assert.JSONEq(t, `{"message": "2 replies"}`, string(b), "programs read English")
}

func TestAsked(t *testing.T) {
	for header, want := range map[string]*Language{
		"": English, "de": german, "de-AT": german, "DE-at,en;q=0.5": german, "en-US,en;q=0.9,de;q=0.8": English, "tlh,de;q=0.3": german,
		"de;q=0": English, "tlh": English, "*": English, "de;q=x,en": English, "en;q=0.2, de;q=0.7": german, ";;,": English,
	} {
		assert.Equal(t, want.Tag, Asked(header).Tag, header)
	}
}

func TestEveryNumberHasAForm(t *testing.T) {
	for _, l := range append([]*Language{Pseudo}, Languages...) {
		for n := range int64(400) {
			assert.Less(t, l.Plural(n), l.Forms, "%s %d", l.Tag, n)
		}
	}
}

func TestPseudo(t *testing.T) {
	assert.Equal(t, "⟦3 réplíéš···⟧", Pseudo.Say(With("{} reply|{} replies", 3)))
	assert.Equal(t, "⟦Póšt·⟧", Pseudo.Say("Post¦verb"))
}
