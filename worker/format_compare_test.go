package worker_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"plaza/data"
	"plaza/worker/api"
)

// thing is an object of JSON.
type thing map[string]any

func (o thing) list(name string) (list []thing) {
	values, _ := o[name].([]any)
	for _, v := range values {
		if m, ok := v.(map[string]any); ok {
			list = append(list, m)
		}
	}
	return list
}

// comparePage holds what a program reads to what the page shows. It returns how many things of each kind it compared.
func comparePage(t *testing.T, page, said string) map[string]int {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	require.NoError(t, err)
	doc := element{Node: root}
	var top thing
	require.NoError(t, json.Unmarshal([]byte(said), &top))
	found := map[string]int{}

	var items []thing
	for _, name := range []string{"items", "posts"} {
		for _, item := range top.list(name) {
			if item["score"] != nil {
				items = append(items, item)
			}
		}
	}
	rows := doc.All("article", "post")
	if comments := top.list("comments"); len(comments) > 0 && comments[0]["found"] != nil {
		compareFound(t, rows, comments)
		found["found comments"], rows = len(rows), nil
	} else {
		found["comments"] = compareComments(t, doc.First("main", ""), comments)
	}
	if stories := doc.All("article", "story"); len(stories) > 0 {
		found["stories"] = len(stories)
		require.Len(t, stories, len(items))
		for i, row := range stories {
			compareStory(t, row, items[i])
		}
		items = nil
	}
	require.Len(t, rows, len(items))
	for i, row := range rows {
		comparePost(t, row, items[i])
	}
	found["posts"] = len(rows)
	if full := doc.All("article", "full"); len(full) > 0 {
		comparePost(t, full[0], thing(top["post"].(map[string]any)))
		compareText(t, full[0].First("div", "md"), top["text_html"])
		found["posts"]++
	}
	for _, list := range doc.All("ul", "crows") {
		kind := compareRows(t, list.All("li", ""), top)
		found[kind] += len(list.All("li", ""))
	}
	if from, ok := top["brought_from"]; ok && from != "" {
		require.Equal(t, fmt.Sprintf("Imported from %s, where it is by %s. Is it yours?", from, top["name_there"]), doc.First("main", "").
			First("p", "hint").Text())
		found["brought"]++
	} else if ok {
		require.NotContains(t, doc.First("main", "").Text(), "Imported from")
	}
	for _, day := range top.list("items") {
		found["inbox"] += len(day.list("items"))
	}
	if sections := doc.All("section", "entries"); len(sections) > 0 {
		require.Len(t, doc.First("main", "").All("ol", "")[0].All("li", ""), len(top.list("items")[0].list("items")))
		require.Len(t, sections, len(top.list("items")))
	}
	if log := doc.All("ul", "rows"); len(log) > 0 && top["items"] != nil {
		rows, items, kind := log[0].All("li", ""), top.list("items"), "decisions"
		require.Len(t, rows, len(items))
		for i, row := range rows {
			if name := row.First("a", "").Text(); strings.HasPrefix(name, "#") {
				kind = "tags"
				require.Equal(t, "#"+fmt.Sprint(items[i]["name"]), name)
				require.Contains(t, row.Text(), fmt.Sprint(items[i]["count"], " post"))
			}
		}
		found[kind] = len(rows)
	}
	next := ""
	for _, a := range doc.All("a", "button") {
		if a.Attr("rel") == "next" {
			next = api.Address(a.Attr("href"), ".json")
		}
	}
	if after, ok := top["next"]; ok {
		require.Equal(t, next, fmt.Sprint(strings.Trim(fmt.Sprint(after), "<nil>")))
	}
	nothingElse(t, doc.Everything(), "", map[string]any(top))
	return found
}

// compareRows compares the rows of a list that is not of posts or comments. It returns what they are.
func compareRows(t *testing.T, rows []element, top thing) (kind string) {
	t.Helper()
	list, kind := top.list("items"), "communities"
	for _, name := range []string{"people", "communities"} { // that were found
		if found := top.list(name); len(found) > 0 && len(list) == 0 {
			list, kind = found, map[string]string{"people": "people", "communities": "found communities"}[name]
		}
	}
	require.Len(t, rows, len(list))
	for i, row := range rows {
		said, head := list[i], row.First("h2", "")
		switch post, isOwn := said["post"].(map[string]any); {
		case kind == "people":
			require.Equal(t, said["name"], head.Text())
			require.Contains(t, row.Text(), fmt.Sprint(said["followers"], " follower"))
		case isOwn: // the author's desk
			kind = "own"
			require.Equal(t, post["permalink"], head.First("a", "").Attr("href"))
			require.Equal(t, post["title"], head.First("a", "").Text())
		default:
			require.Equal(t, fmt.Sprint("/c/", said["name"]), head.First("a", "").Attr("href"))
			require.Contains(t, row.Text(), fmt.Sprint(said["members"], " member"))
			require.Contains(t, row.Text(), said["description"])
		}
	}
	return kind
}

// compareFound compares comments that were found, each with the part of its text that shows what was looked for.
func compareFound(t *testing.T, rows []element, comments []thing) {
	t.Helper()
	require.Len(t, rows, len(comments))
	for i, row := range rows {
		c := comments[i]
		require.Equal(t, c["permalink"], row.First("h2", "").First("a", "").Attr("href"))
		require.Equal(t, c["post_title"], row.First("h2", "").Text())
		by := row.First("p", "by")
		require.Contains(t, by.Text(), c["author"])
		compareTime(t, by.First("time", ""), c["created_at"])
		require.Equal(t, c["edited_at"] != nil, strings.Contains(by.Text(), "edited"))
		var text strings.Builder
		var marked []string
		for _, piece := range c.list("found") {
			text.WriteString(piece["text"].(string))
			if piece["marked"] == true {
				marked = append(marked, piece["text"].(string))
			}
		}
		require.Equal(t, text.String(), row.First("p", "ex").Text())
		require.NotEmpty(t, marked)
		for i, m := range row.First("p", "ex").All("mark", "") {
			require.Equal(t, marked[i], m.Text())
		}
	}
}

func comparePost(t *testing.T, row element, post thing) {
	t.Helper()
	id, err := data.ParseID(post["id"].(string))
	require.NoError(t, err)
	require.Equal(t, "p-"+id.Text(), row.Attr("id"))
	if head := row.First("h2", ""); head.FirstChild != nil && post["removed"] == false {
		require.Equal(t, post["title"], head.First("a", "").Text())
		require.Equal(t, post["permalink"], row.First("a", "cc").Attr("href"))
	}
	by := row.First("p", "by")
	if post["author"] != "" && (strings.HasPrefix(row.Attr("class"), "full") || !strings.HasPrefix(by.Text(), "c/")) { // a row of many communities names no author
		require.Contains(t, by.Text(), post["author"])
	}
	compareTime(t, by.First("time", ""), post["created_at"])
	compareVotes(t, row, post)
	full := strings.HasPrefix(row.Attr("class"), "full")
	for _, count := range row.All("a", "cc") {
		require.Equal(t, fmt.Sprint(post["comments"]), strings.Fields(count.Text())[0])
	}
	require.Equal(t, full, len(row.All("a", "cc")) == 0, "the page of a post has the number above its comments")
	marks := by.Everything()
	for mark, name := range map[string]string{"NSFW": "nsfw", "pinned": "pinned", "spoiler": "spoiler", "locked": "locked",
		"edited": "edited_at"} {
		if mark == "edited" && !full {
			continue // rows don't say so
		}
		require.Equal(t, post[name] != false && post[name] != nil, strings.Contains(marks, mark), "%s: %s", mark, marks)
	}
	if post["link"] != "" && post["removed"] == false && post["deleted"] == false {
		require.Contains(t, row.Everything(), post["link"])
	}
}

// compareStory compares a post of an edition.
func compareStory(t *testing.T, row element, post thing) {
	t.Helper()
	id, err := data.ParseID(post["id"].(string))
	require.NoError(t, err)
	require.Equal(t, "p-"+id.Text(), row.Attr("id"))
	require.Contains(t, row.Everything(), post["title"])
	require.Equal(t, post["permalink"], row.First("a", "cc").Attr("href"))
	require.Equal(t, fmt.Sprint(post["comments"]), strings.Fields(row.First("a", "cc").Text())[0])
	compareTime(t, row.First("p", "by").First("time", ""), post["created_at"])
	require.Contains(t, row.Everything(), fmt.Sprint(post["score"], " point"))
}

func compareVotes(t *testing.T, row element, voted thing) {
	t.Helper()
	votes := row.First("div", "votes", "comment")
	require.Contains(t, []string{fmt.Sprint(voted["score"], " points"), fmt.Sprint(voted["score"], " point")}, votes.First("span", "score").
		Attr("title"))
	require.Equal(t, voted["my_vote"] == 1.0, votes.First("button", "up").Attr("aria-pressed") == "true")
	require.Equal(t, voted["my_vote"] == -1.0, votes.First("button", "down").Attr("aria-pressed") == "true")
}

func compareTime(t *testing.T, shown element, at any) {
	t.Helper()
	exact, err := time.Parse(time.RFC3339Nano, at.(string))
	require.NoError(t, err)
	require.Equal(t, exact.Format("2006-01-02T15:04:05Z"), shown.Attr("datetime"))
}

// compareText compares formatted text by what somebody reads of it.
func compareText(t *testing.T, shown element, said any) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(said.(string)))
	require.NoError(t, err)
	require.Equal(t, element{Node: root}.Text(), shown.Text())
}

// compareComments compares the comments right below an element, and those below them.
func compareComments(t *testing.T, above element, comments []thing) int {
	t.Helper()
	shown := above.All("article", "comment", "comment")
	require.Len(t, shown, len(comments))
	n := len(comments)
	for i, row := range shown {
		c := comments[i]
		id, err := data.ParseID(c["id"].(string))
		require.NoError(t, err)
		require.Equal(t, "c-"+id.Text(), row.Attr("id"))
		head := row.First("div", "by")
		if c["author"] == "" {
			require.Contains(t, head.Text(), "[deleted]")
		} else {
			require.Contains(t, head.Text(), c["author"])
		}
		compareTime(t, head.First("time", ""), c["created_at"])
		if c["deleted"] == true || c["removed"] == true {
			require.NotEmpty(t, row.First("p", "gone").Text())
		} else {
			compareText(t, row.First("div", "md"), c["body_html"])
			compareVotes(t, row, c)
		}
		n += compareComments(t, row, c.list("replies"))
	}
	return n
}

// nothingElse fails when a text of the JSON is nowhere on the page.
func nothingElse(t *testing.T, page, name string, value any) {
	t.Helper()
	switch v := value.(type) {
	case map[string]any:
		for name, value := range v {
			switch {
			case name == "communities" && v["people"] == nil, name == "community" &&
				v["flair"] == nil: // of which other pages than the community's own don't show all
			case name == "post" && v["saved_at"] != nil: // the desk names them only
			case (name == "author" || name == "author_avatar" || name == "excerpt") && v["community_colour"] != nil: // rows of many communities
			case name == "id" && v["unread"] == false: // of which nothing has to be sent
			default:
				nothingElse(t, page, name, value)
			}
		}
	case []any:
		for _, value := range v {
			nothingElse(t, page, name, value)
		}
	case string:
		_, notTime := time.Parse(time.RFC3339Nano, v)
		switch {
		case notTime == nil, strings.HasSuffix(name, "_html"), name == "after", name == "next", name == "kind", name == "role", name == "side",
			name == "action", // the page says it in a sentence
			strings.HasSuffix(name, "colour"):
		case name == "id":
			id, err := data.ParseID(v)
			require.NoError(t, err)
			require.True(t, strings.Contains(page, id.Text()), "the page does not name %s", id.Text())
		case strings.HasSuffix(v, ".json"), strings.Contains(v, ".json?"):
			require.True(t, strings.Contains(page, strings.Replace(v, ".json", "", 1)), "the page does not lead to %s %s", name, v)
		default:
			require.True(t, strings.Contains(page, v), "the page does not say %s %q", name, v)
		}
	}
}
