package view_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
	"plaza/worker/pictures"
)

func TestPictureOfAMember(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	ann.MustPost("/communities", "name", "gophers")
	ben.MustPost("/communities", "name", "crabs")
	address := ann.MustPost("/submit", "community", "gophers", "title", "Hello", "text", "Hello")
	ann.MustPost("/comment", "post", workertest.Targets(ann.Page(address))[0], "body", "First")
	require.Contains(t, ann.Page("/settings/profile"), `enctype="multipart/form-data"`)

	one := ann.Upload(1)
	ann.MustPost("/settings", "group", "profile", "letter", "A", "picture", one)
	s.Deliver()
	tile := `<img class="ci" src="/picture/` + one + `" alt="" width="20" height="20" loading="lazy" decoding="async">`
	require.Contains(t, s.Visitor().Page("/u/ann"), tile)
	require.Contains(t, s.Visitor().Page(address+".json"), `"picture":"`+one+`"`, "copies follow")
	require.Contains(t, s.Visitor().Page("/u/ann.json"), `"picture":"`+one+`"`)
	require.Contains(t, ann.Page("/settings/profile"), `name="picture" value="`+one+`"`)

	t.Run("a form that names no picture leaves it", func(t *testing.T) {
		ann.MustPost("/settings", "group", "profile", "letter", "B")
		ann.MustPost("/settings", "group", "reading", "theme", "dark")
		require.Contains(t, s.Visitor().Page("/u/ann"), tile)
	})
	t.Run("what is not there is refused at its field", func(t *testing.T) {
		for _, sum := range []string{workertest.Sum(9), "../../x", one[:63] + "A"} {
			res := ann.Post("/settings", "group", "profile", "letter", "A", "picture", sum)
			require.Equal(t, http.StatusUnprocessableEntity, res.Code)
			require.Contains(t, res.Body.String(), `id="picture-error"`)
		}
		require.Contains(t, s.Visitor().Page("/u/ann"), tile)
	})
	t.Run("without a script it comes with the form, and is small", func(t *testing.T) {
		got := pictures.Received{Field: "picture-file", Name: "me.jpg", Type: "image/jpeg", Width: 300, Height: 200, Frames: 1,
			Bytes: 3_000_000, Sum: workertest.Sum(2)}
		res := ben.PostPictures("/settings", []pictures.Received{got}, "group", "profile", "bio", "I am Ben")
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "at most 400 KB")
		require.Contains(t, res.Body.String(), "I am Ben")
		res = ben.PostPictures("/pictures", []pictures.Received{{Field: "picture", Name: "me.jpg", Type: "image/jpeg", Width: 300, Height: 200, Frames: 1,
			Bytes: 3_000_000, Sum: got.Sum, Small: true}})
		require.Equal(t, http.StatusSeeOther, res.Code)
		res = ben.Post("/settings", "group", "profile", "bio", "I am Ben", "picture", got.Sum)
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "at most 400 KB", "pages show the picture itself, and not what came with it")
		got.Bytes, got.Sum = 390<<10, workertest.Sum(3)
		res = ben.PostPictures("/settings", []pictures.Received{got}, "group", "profile", "bio", "I am Ben")
		require.Equal(t, http.StatusSeeOther, res.Code, res.Body.String())
		require.Contains(t, s.Visitor().Page("/u/ben"), got.Sum)
		ben.MustPost("/settings", "group", "profile", "picture", got.Sum, "picture-drop", "1")
		require.NotContains(t, s.Visitor().Page("/u/ben"), got.Sum)
	})
	t.Run("the job takes it a day after its last use, and no earlier", func(t *testing.T) {
		require.EqualValues(t, 1, s.One("SELECT count(*) FROM picture_uses WHERE kind = 'avatar'"))
		s.Pass(25 * time.Hour)
		hour(s)
		require.Contains(t, inBucket(s), one)
		ann.MustPost("/submit", "community", "gophers", "title", "Me", "picture-1", one)
		ann.MustPost("/settings", "group", "profile", "picture", "")
		s.Deliver()
		require.NotContains(t, s.Visitor().Page(address+".json"), one)
		hour(s)
		s.Pass(25 * time.Hour)
		hour(s)
		require.Equal(t, []string{one}, inBucket(s), "one use spares the picture")
	})
}

func TestPicturesOfACommunity(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	ann.MustPost("/communities", "name", "gophers")
	address := ann.MustPost("/submit", "community", "gophers", "title", "Hello", "text", "Hello")
	icon, banner := ann.Upload(1), ann.Upload(2)
	fields := []string{"title", "Gophers", "colour", "#00695c"}
	save := func(more ...string) {
		t.Helper()
		ann.MustPost("/c/gophers/settings", append(more, fields...)...)
	}
	save("icon", icon, "banner", banner)
	page := s.Visitor().Page("/c/gophers")
	require.Contains(t, page, `<img class="banner" src="/picture/`+banner+`" alt="" width="1600" height="400" decoding="async">`)
	require.Contains(t, page, `<img class="ci" src="/picture/`+icon+`"`)
	require.Contains(t, s.Visitor().Page("/communities"), `src="/picture/`+icon+`"`)
	require.Contains(t, s.Visitor().Page(address), `src="/picture/`+icon+`"`)
	require.Contains(t, s.Visitor().Page("/c/gophers.json"), `"icon":"`+icon+`","banner":"`+banner+`"`)
	uses := 2
	if len(s.Sql.All()) > 1 { // the copy on the community's shard uses them, too
		uses = 4
	}
	require.Len(t, s.Sql.RowsOfAll("SELECT 1 FROM picture_uses WHERE kind IN ('icon', 'banner')"), uses)
	require.Contains(t, ann.Page("/c/gophers/settings"), `name="icon" value="`+icon+`"`)

	save()
	require.Contains(t, s.Visitor().Page("/c/gophers"), banner, "what the request does not name stays")
	res := ann.Post("/c/gophers/settings", append(fields, "icon", workertest.Sum(9))...)
	require.Equal(t, http.StatusUnprocessableEntity, res.Code)
	require.Contains(t, res.Body.String(), `id="icon-error"`)
	require.Equal(t, http.StatusForbidden, ben.Post("/c/gophers/settings", append(fields, "icon", icon)...).Code)

	save("icon", icon, "icon-drop", "1", "banner", "")
	require.NotContains(t, s.Visitor().Page("/c/gophers"), "/picture/")
	require.EqualValues(t, 0, s.One("SELECT count(*) FROM picture_uses"))
	hour(s)
	s.Pass(25 * time.Hour)
	hour(s)
	require.Empty(t, inBucket(s))
}

// TestBlockedPortraits: who is shown by a picture that is blocked loses it, on all pages and in all copies, and gets it back.
func TestBlockedPortraits(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, rita := s.Member("ann"), s.Admin("rita")
	ann.MustPost("/communities", "name", "gophers")
	address := ann.MustPost("/submit", "community", "gophers", "title", "Hello", "text", "Hello")
	bad, good := ann.Upload(1), ann.Upload(2) // whose hashes are the same
	ann.MustPost("/settings", "group", "profile", "letter", "A", "picture", bad)
	ann.MustPost("/c/gophers/settings", "title", "Gophers", "colour", "#00695c", "icon", bad, "banner", good)
	s.Deliver()
	pages := []string{"/u/ann", "/c/gophers", "/communities", address, address + ".json"}
	for _, page := range pages {
		require.Contains(t, s.Visitor().Page(page), bad, page)
	}
	rita.MustPost("/admin/pictures", "picture", bad)
	s.Deliver()
	for _, page := range pages {
		require.NotContains(t, s.Visitor().Page(page), bad, page)
	}
	require.Contains(t, s.Visitor().Page("/c/gophers"), good)
	require.Empty(t, s.Sql.RowsOfAll("SELECT 1 FROM picture_uses WHERE sum = ?1", bad), "the copies of shards do not use it either")
	require.Equal(t, http.StatusUnprocessableEntity, ann.Post("/settings", "group", "profile", "picture", bad).Code)

	_, block, _ := strings.Cut(rita.Page("/admin/blocked-pictures"), `name="block" value="`)
	block, _, _ = strings.Cut(block, `"`)
	rita.MustPost("/admin/blocked-pictures", "block", block)
	s.Deliver()
	for _, page := range pages {
		require.Contains(t, s.Visitor().Page(page), bad, page)
	}
}
