package exchange

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestFormsOfValues: a line comes with what can be kept of it, whatever the form of its numbers and times.
func TestFormsOfValues(t *testing.T) {
	at := time.Date(2013, 8, 31, 22, 30, 0, 0, time.UTC)
	for _, c := range []struct {
		name, votes, time string
		ups, downs        int64
		changed           bool
	}{
		{"as they should be", `"score":5,"ups":7,"downs":2`, `1377988200`, 7, 2, false},
		{"numbers with a point", `"score":5.0,"ups":7.0,"downs":2.0`, `1377988200.0`, 7, 2, false},
		{"numbers as texts", `"score":"5","ups":"7","downs":"2"`, `"1377988200"`, 7, 2, false},
		{"both", `"score":"5.0","ups":"7.0","downs":"2.0"`, `"1377988200.0"`, 7, 2, false},
		{"a power", `"score":5e0,"ups":7e0,"downs":20e-1`, `1.3779882e9`, 7, 2, false},
		{"with commas", `"score":"1,234"`, `1377988200`, 1234, 0, false},
		{"none", `"score":null`, `1377988200`, 0, 0, false},
		{"an empty text", `"score":"","ups":"","downs":""`, `1377988200`, 0, 0, false},
		{"a fraction", `"score":5.4`, `1377988200`, 5, 0, true},
		{"a word", `"score":"many"`, `1377988200`, 0, 0, true},
		{"a list", `"score":[5]`, `1377988200`, 0, 0, true},
		{"more than there can be", `"score":99999999999`, `1377988200`, 1<<31 - 1, 0, true},
		{"more than a number can be", `"score":1e400`, `1377988200`, 0, 0, true},
		{"fewer than none", `"ups":-3,"downs":1`, `1377988200`, 0, 0, true},
		{"below zero", `"score":-3.0`, `1377988200`, 0, 3, false},
		{"no number, as Python writes it", `"score":NaN,"downs":-Infinity,"title":"T \" NaN","title":"T"`, `1377988200`, 0, 0, true},
		{"a truth value", `"score":true`, `1377988200`, 0, 0, true},
		{"milliseconds", `"score":5`, `1377988200000`, 5, 0, false},
		{"microseconds", `"score":5`, `"1377988200000000"`, 5, 0, false},
		{"a time as a text", `"score":5`, `"2013-08-31T22:30:00Z"`, 5, 0, false},
		{"of another zone", `"score":5`, `"2013-09-01T00:30:00+02:00"`, 5, 0, false},
		{"without a colon", `"score":5`, `"2013-09-01T00:30:00.000+0200"`, 5, 0, false},
		{"without a zone", `"score":5`, `"2013-08-31 22:30:00"`, 5, 0, false},
		{"as databases write it", `"score":5`, `"2013-08-31 22:30:00+00:00"`, 5, 0, false},
		{"as mails write it", `"score":5`, `"Sat, 31 Aug 2013 22:30:00 +0000"`, 5, 0, false},
		{"another field has it", `"score":5,"created":1377988200`, `"yesterday"`, 5, 0, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			item, changed, err := DecodeReddit(fmt.Appendf(nil, `{"id":"a1","subreddit":"go","title":"T","is_self":"True","over_18":1,`+
				`"selftext":"x","locked":"false","created_utc":%s,%s}`, c.time, c.votes))
			require.NoError(t, err)
			require.Equal(t, Post{ID: "t3_a1", Community: "go", Title: "T", Text: "x", NSFW: true, Ups: c.ups, Downs: c.downs, CreatedAt: at}, item)
			require.Equal(t, c.changed, changed)
		})
	}
	for name, line := range map[string]string{
		"seconds":    `{"type":"post","id":7,"community":"go","title":"T","ups":"7","downs":2.0,"created_at":1377988200,"nsfw":"true"}`,
		"texts":      `{"type":"post","id":"7","community":"go","title":"T","ups":7.0,"downs":"2","created_at":"2013-08-31 22:30:00","nsfw":1}`,
		"text of ms": `{"type":"post","id":"7","community":"go","title":"T","ups":7,"downs":2,"created_at":"1377988200000","nsfw":true}`,
	} {
		item, changed, err := Decode([]byte(line))
		require.NoError(t, err, name)
		require.Equal(t, Post{Type: "post", ID: "7", Community: "go", Title: "T", Ups: 7, Downs: 2, CreatedAt: at, NSFW: true}, item, name)
		require.False(t, changed, name)
	}
	item, changed, err := Decode([]byte(`{"type":"post","id":"7","ups":"x","tags":["a",5,{}],"pictures":"none","created_at":"2013-08-31T22:30:00Z"}`))
	require.NoError(t, err)
	require.Equal(t, Post{Type: "post", ID: "7", Tags: []string{"a", "5", ""}, CreatedAt: at}, item)
	require.True(t, changed)
	lines, bad := convert(t, "lobsters", "Crabs", `{"short_id":7,"title":"T","url":"https://example.com/","score":"3","created_at":1377988200,
"submitter_user":"ann","comments":[{"short_id":"c","created_at":"2013-08-31 22:30:00","score":1.0,"comment_plain":"a","commenting_user":"bob"}]}`)
	require.Empty(t, bad)
	require.Equal(t, []string{`{"type":"post","id":"s_7","community":"Crabs","author":"ann","title":"T","link":"https://example.com/","ups":3,` +
		`"downs":0,"created_at":"2013-08-31T22:30:00Z"}`, `{"type":"comment","id":"c_c","post":"s_7","author":"bob","body":"a","ups":1,"downs":0,` +
		`"created_at":"2013-08-31T22:30:00Z"}`}, lines)
}

func TestGoneTexts(t *testing.T) {
	for text, gone := range map[string]string{
		"[deleted]": "deleted", "[removed]": "removed", "[deleted by user]": "deleted", "[ Removed by Reddit ]": "removed",
		"[Removed by reddit]": "removed", "[removed by Reddit on account of violating the [content policy]]": "",
		"[ Removed by Reddit on account of violating the content policy ]": "removed", "[ Removed by moderator ]": "removed",
		" [removed]\n": "removed", "[Deleted By User]": "deleted", "[ deleted ]": "deleted",
		"[removed] by me": "", "[deleted scenes]": "", "I was [deleted]": "", "deleted": "", "[deleted](https://example.org/)": "", "": "",
	} {
		item, _, err := DecodeReddit(fmt.Appendf(nil, `{"id":"1","link_id":"t3_1","author":"ann","created_utc":1400000000,"body":%q}`, text))
		require.NoError(t, err)
		require.Equal(t, gone, item.(Comment).Gone, "%q", text)
		require.Equal(t, gone != "", item.(Comment).Author == "", "%q", text)
		item, _, err = DecodeReddit(fmt.Appendf(nil, `{"id":"1","subreddit":"go","is_self":true,"title":"T","created_utc":1400000000,"selftext":%q}`, text))
		require.NoError(t, err)
		require.Equal(t, gone != "", item.(Post).Deleted, "%q", text)
		item, _, err = DecodeReddit(fmt.Appendf(nil, `{"id":"1","subreddit":"go","title":%q,"created_utc":1400000000,"url":"https://go.dev"}`, text))
		require.NoError(t, err)
		require.Equal(t, gone != "", item.(Post).Deleted, "%q", text)
	}
}
