package post_test

import (
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data/wire/hrana"
	"plaza/test/workertest"
)

// TestCachedThread: an instance caches threads for seconds. What happens to a comment on another instance shows at once nevertheless.
func TestCachedThread(t *testing.T) {
	t.Parallel()
	here := workertest.MustOpen(t)
	there := workertest.OpenSite(t, here.Sql, here.Redis, 100)
	ann, ben, cat := here.Member("ann"), here.Member("ben"), here.Member("cat")
	odin := here.Admin("odin")
	ann.MustPost("/communities", "name", "gophers")
	address := ann.MustPost("/c/gophers/submit", "title", "A thread", "text", "text")
	post := workertest.Targets(ann.Page(address))[0]
	var ids []string
	for i := range 8 {
		to := ben.MustPost("/comment", "post", post, "body", "Comment number "+strconv.Itoa(i)+"!")
		ids = append(ids, regexp.MustCompile(`#c-(\w+)$`).FindStringSubmatch(to)[1])
	}
	here.DeliverAll()
	there.Now = here.Now
	read := func(b *workertest.Browser) (page string, rows int64) {
		other := *b
		other.Site = there
		ctx, meter := hrana.WithMeter(t.Context())
		res := other.Send(other.Request(address).WithContext(ctx))
		require.Equal(t, 200, res.Code)
		return res.Body.String(), meter.RowsRead()
	}
	fill := func() {
		there.Now = there.Now.Add(time.Minute)
		here.Now = there.Now
		read(cat)
	}
	_, whole := read(cat)
	page, again := read(cat)
	require.NotContains(t, page, `title="0 points"`)
	require.Contains(t, page, "Comment number 3!")
	require.Less(t, again, whole*2/3, "rows of a thread that is read again")

	for _, change := range []struct {
		name  string
		do    func()
		gone  string
		shown string
	}{
		{"an edit", func() { ben.MustPost("/edit", "target", ids[0], "body", "Quite another text") }, "Comment number 0!", "Quite another text"},
		{"a deletion", func() { ben.MustPost("/delete", "target", ids[1]) }, "Comment number 1!", "[deleted]"},
		{"a removal", func() { ann.MustPost("/c/gophers/mod/decide", "target", ids[2], "decision", "remove", "rule", "Spam") },
			"Comment number 2!", "removed by a moderator"},
		{"an erasure", func() { odin.MustPost("/admin/erase", "target", ids[3], "rule", "Personal data") }, "Comment number 3!", ""},
		{"a vote", func() { ann.MustPost("/vote", "target", ids[4], "value", "-1"); here.DeliverAll() }, "", `title="0 points"`},
		{"a comment", func() { ann.MustPost("/comment", "post", post, "body", "One more"); here.DeliverAll() }, "", "One more"},
		{"an own vote", func() { cat.MustPost("/vote", "target", ids[5], "value", "1") }, "", `value="0" aria-pressed="true"`},
		{"an own save", func() { cat.MustPost("/save", "target", ids[5], "on", "1") }, "", `/save?target=` + ids[5] + `" name="on" value="0"`},
		{"a lost row", func() { here.Exec("DELETE FROM comments WHERE id = ?1", int64(workertest.MustID(t, ids[6]))) }, "Comment number 6!", ""},
		{"a moderation", func() { ann.MustPost("/c/gophers/mod/decide", "target", post, "decision", "lock") }, "", "This thread is locked"},
	} {
		fill()
		change.do()
		page, _ := read(cat)
		if change.gone != "" {
			require.NotContains(t, page, change.gone, change.name)
		}
		require.Contains(t, page, change.shown, change.name)
	}
}
