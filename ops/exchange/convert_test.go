package exchange

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// convert returns the lines after the first, and what was skipped.
func convert(t *testing.T, from, community string, texts ...string) (lines []string, bad []string) {
	t.Helper()
	var out bytes.Buffer
	w, err := NewWriter(&out, "elsewhere.example", time.Now())
	require.NoError(t, err)
	c := &Converter{From: from, Community: community, Out: w,
		Bad: func(n int, reason string) { bad = append(bad, fmt.Sprintf("%d: %s", n, reason)) }}
	for _, text := range texts {
		require.NoError(t, c.Convert(strings.NewReader(text)))
	}
	in := NewLines(&out)
	_, err = in.Next()
	require.NoError(t, err)
	for range w.Written() {
		line, err := in.Next()
		require.NoError(t, err)
		_, _, err = Decode(line)
		require.NoError(t, err)
		lines = append(lines, string(line))
	}
	return lines, bad
}

func TestConvertLobsters(t *testing.T) {
	story := `{"short_id":"abc123","created_at":"2024-03-01T10:00:00.000-06:00","title":"A story","url":"https://example.com/","score":10,"flags":2,
"description":"<p>x</p>","description_plain":"*x*","submitter_user":"ann","tags":["go","web"],"comments":[
{"short_id":"c1","created_at":"2024-03-01T11:00:00.000-06:00","updated_at":"2024-03-01T11:00:10.000-06:00","score":5,"flags":0,"parent_comment":null,"comment":"<p>a</p>","comment_plain":"a","indent_level":1,"commenting_user":"bob"},
{"short_id":"c2","created_at":"2024-03-01T12:00:00.000-06:00","updated_at":"2024-03-01T13:00:00.000-06:00","score":-3,"flags":1,"parent_comment":"c1","comment_plain":"b","indent_level":2,"commenting_user":"cyd"},
{"short_id":"c3","created_at":"2024-03-01T12:30:00.000-06:00","updated_at":"2024-03-01T12:30:00.000-06:00","score":1,"is_deleted":true,"is_moderated":true,"comment_plain":"Comment removed by moderator","indent_level":2,"commenting_user":"dan"}]}`
	older := `[{"short_id":"old1","created_at":"2014-03-01T10:00:00Z","title":"Older","url":"","score":1,"submitter_user":{"username":"ann"},"comments":[
{"short_id":"o1","created_at":"2014-03-01T10:01:00Z","score":1,"comment_plain":"a","indent_level":1,"commenting_user":{"username":"bob"}},
{"short_id":"o2","created_at":"2014-03-01T10:02:00Z","score":1,"comment_plain":"b","indent_level":2,"commenting_user":{"username":"bob"}},
{"short_id":"o3","created_at":"2014-03-01T10:03:00Z","score":1,"comment_plain":"c","indent_level":3,"commenting_user":{"username":"bob"}},
{"short_id":"o4","created_at":"2014-03-01T10:04:00Z","score":1,"comment_plain":"d","indent_level":2,"commenting_user":{"username":"bob"}},
{"short_id":"o5","created_at":"2014-03-01T10:05:00Z","score":1,"comment_plain":"e","indent_level":1,"commenting_user":{"username":"bob"}}]}]`
	lines, bad := convert(t, "lobsters", "Crabs", story+older+`{"short_id":""}`)
	require.Equal(t, []string{"3: a story has a short_id and a title"}, bad)
	require.Equal(t, []string{
		`{"type":"post","id":"s_abc123","community":"Crabs","author":"ann","title":"A ` +
			`story","text":"*x*","link":"https://example.com/","tags":["go","web"],"ups":12,"downs":2,"created_at":"2024-03-01T10:00:00-06:00"}`,
		`{"type":"comment","id":"c_c1","post":"s_abc123","author":"bob","body":"a","ups":5,"downs":0,"created_at":"2024-03-01T11:00:00-06:00"}`,
		`{"type":"comment","id":"c_c2","post":"s_abc123","parent":"c_c1","author":"cyd","body":"b","ups":0,"downs":3,` +
			`"created_at":"2024-03-01T12:00:00-06:00","edited_at":"2024-03-01T13:00:00-06:00"}`,
		`{"type":"comment","id":"c_c3","post":"s_abc123","parent":"c_c1","ups":1,"downs":0,"created_at":"2024-03-01T12:30:00-06:00",` +
			`"gone":"removed"}`,
	}, lines[:4])
	var parents []string
	for _, line := range lines[5:] {
		c, _, err := Decode([]byte(line))
		require.NoError(t, err)
		parents = append(parents, c.(Comment).Parent)
	}
	require.Equal(t, []string{"", "c_o1", "c_o2", "c_o1", ""}, parents)
}

func TestConvertWithoutTimes(t *testing.T) {
	lines, bad := convert(t, "lobsters", "Crabs",
		`{"short_id":"a","title":"No time","comments":[{"short_id":"c0","created_at":"2024-03-01T11:00:00Z","comment_plain":"x"}]}
{"short_id":"b","title":"A time","url":"https://example.com/","created_at":"2024-03-01T10:00:00Z","comments":[
{"short_id":"c1","created_at":null,"comment_plain":"a"},{"short_id":"c2","comment_plain":"b"},{"short_id":"c3","created_at":"2024-03-01T11:00:00Z","comment_plain":"c"}]}`)
	require.Equal(t, []string{"1: s_a has no created_at", "2: c_c1 has no created_at", "2: c_c2 has no created_at"}, bad)
	require.Len(t, lines, 2)
	require.NotContains(t, strings.Join(lines, ""), "0001-01-01")

	lines, bad = convert(t, "discourse", "Crabs",
		`{"id":5,"title":"Hello","archetype":"regular","post_stream":{"posts":[{"id":1,"topic_id":5,"post_number":1,"post_type":1,"raw":"x"}]}}`)
	require.Equal(t, []string{"1: t_5 has no created_at"}, bad)
	require.Empty(t, lines)
}

func TestConvertDiscourse(t *testing.T) {
	categories := `{"category_list":{"categories":[{"id":7,"name":"Site Feedback","slug":"site-feedback","description_text":"About us"},
{"id":11,"name":"Staff","slug":"staff","read_restricted":true},{"id":12,"name":"日本","slug":""},{"id":13,"name":"After it","slug":"after-it"}]}}`
	posts := func(list ...string) string { return `"post_stream":{"posts":[` + strings.Join(list, ",") + `]}}` }
	post := func(id, number int, more string) string {
		return fmt.Sprintf(`{"id":%d,"topic_id":5,"post_number":%d,"post_type":1,"username":"ann","created_at":"2020-01-0%dT00:00:00Z",`+
			`"updated_at":"2020-02-01T00:00:00Z","version":1,"cooked":"<p>x</p>",%s}`, id, number, number, more)
	}
	topic := `{"id":5,"title":"Hello","category_id":7,"archetype":"regular","closed":true,"tags":["web",{"id":1,"name":"go"}],` + posts(
		post(50, 1, `"raw":"First","actions_summary":[{"id":2,"count":3},{"id":3,"count":9}]`),
		post(51, 2, `"raw":"Second","reply_to_post_number":1,"version":2`),
		strings.Replace(post(52, 3, `"raw":"whisper"`), `"post_type":1`, `"post_type":4`, 1))
	more := `{"id":5,` + posts(post(53, 4, `"raw":"Third","reply_to_post_number":2`),
		post(54, 5, `"raw":"bad","hidden":true,"reply_to_post_number":4`), post(55, 6, `"raw":"","user_deleted":true`))
	private := strings.ReplaceAll(strings.Replace(topic, `"regular"`, `"private_message"`, 1), `"topic_id":5`, `"topic_id":6`)
	elsewhere := strings.ReplaceAll(strings.Replace(topic, `"id":5,"title"`, `"id":8,"title"`, 1), `"topic_id":5`, `"topic_id":8`)
	lines, bad := convert(t, "discourse", "", categories, topic+more, private, strings.Replace(topic, `"raw":"First",`, "", 1),
		strings.Replace(elsewhere, `"category_id":7`, `"category_id":9`, 1),
		strings.Replace(elsewhere, `"category_id":7`, `"category_id":11`, 1))
	require.Equal(t, []string{
		`{"type":"community","name":"site_feedback","title":"Site Feedback","description":"About us"}`,
		`{"type":"community","name":"after_it","title":"After it"}`,
		`{"type":"post","id":"t_5","community":"site_feedback","author":"ann","title":"Hello","text":"First","tags":["web","go"],"locked":true,` +
			`"ups":3,"downs":0,"created_at":"2020-01-01T00:00:00Z"}`,
		`{"type":"comment","id":"p_51","post":"t_5","author":"ann","body":"Second","ups":0,"downs":0,"created_at":"2020-01-02T00:00:00Z",` +
			`"edited_at":"2020-02-01T00:00:00Z"}`,
		`{"type":"comment","id":"p_53","post":"t_5","parent":"p_51","author":"ann","body":"Third","ups":0,"downs":0,` +
			`"created_at":"2020-01-04T00:00:00Z"}`,
		`{"type":"comment","id":"p_54","post":"t_5","parent":"p_53","ups":0,"downs":0,"created_at":"2020-01-05T00:00:00Z","gone":"removed"}`,
		`{"type":"comment","id":"p_55","post":"t_5","ups":0,"downs":0,"created_at":"2020-01-06T00:00:00Z","gone":"deleted"}`,
	}, lines)
	require.Equal(t, []string{
		"1: the category \"日本\" has no name that a community can have",
		"1: topic 6 is not public, or the document that says so has not come before",
		"1: topic 5 has no texts as they were typed: fetch it with include_raw=1",
		"1: topic 8 is in category 9, of which nothing is known: begin with categories.json, or name a community",
		"1: topic 8 is not public, or the document that says so has not come before",
	}, bad)
}

func TestLinksWithinReddit(t *testing.T) {
	for url, want := range map[string]string{"/r/go/comments/x/y/": "https://www.reddit.com/r/go/comments/x/y/",
		"https://go.dev/?a&amp;b": "https://go.dev/?a&b"} {
		item, _, err := DecodeReddit([]byte(`{"id":"1","subreddit":"go","title":"T","created_utc":1400000000,"url":"` + url + `"}`))
		require.NoError(t, err)
		require.Equal(t, want, item.(Post).Link)
	}
}

// FuzzDecode holds lines of any kind to what they say: nothing but a Bad comes of what can't be read.
func FuzzDecode(f *testing.F) {
	for _, line := range []string{`{"type":"post","id":"1","ups":1}`, `{"type":"export","version":1}`,
		`{"id":"1","created_utc":"1400000000","edited":true,"parent_id":5,"link_id":"t3_1"}`,
		`{"type":"post","ups":"1","created_at":5,"tags":"a","pictures":[{"sum":1},2],"nsfw":{}}`, `{"id":1,"created_utc":"2013-01-01","score":[]}`, `[]`, `{"type":7}`} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		for _, decode := range []func([]byte) (any, bool, error){Decode, DecodeReddit} {
			if item, _, err := decode(line); (item == nil) == (err == nil) {
				t.Errorf("%v and %v", item, err)
			} else if _, bad := err.(*LineError); err != nil && !bad {
				t.Errorf("%T", err)
			}
		}
	})
}
