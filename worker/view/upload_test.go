package view_test

import (
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data/moderation/erase"
	"plaza/test/workertest"
	"plaza/worker/pictures"
)

// hour runs the jobs of an hour.
func hour(s *workertest.Site) {
	s.Helper()
	require.NoError(s, s.App.Scheduled(s.Context(), time.Date(2026, 11, 21, 13, 0, 0, 0, time.UTC)))
}

// inBucket are the sums in the bucket.
func inBucket(s *workertest.Site) (sums []string) {
	list, err := s.Bucket.List(s.Context(), "", pictures.MaxList)
	require.NoError(s, err)
	for _, o := range list {
		sums = append(sums, o.Sum)
	}
	return sums
}

func TestPicturesOfAPost(t *testing.T) {
	s := workertest.MustOpen(t)
	ann := s.Member("ann")
	ann.MustPost("/communities", "name", "gophers")
	one, two := ann.Upload(1), ann.Upload(2)
	address := ann.MustPost("/submit", "community", "gophers", "title", "Two gophers", "picture-1", two, "alt-1", `A "large" gopher`,
		"picture-2", one)
	page := s.Visitor().Page(address)
	require.Contains(t, page, `<img src="/picture/`+two+`" alt="A &#34;large&#34; gopher" width="554" height="416" class="k011" decoding="async">`)
	require.Contains(t, page, `<meta property="og:image" content="https://plaza.example/picture/`+two+`">`)
	require.Contains(t, page, `<meta property="og:image:alt" content="A &#34;large&#34; gopher">`)
	require.Contains(t, page, `alt="Picture 2 of 2, without a description"`)
	require.Contains(t, s.Visitor().Page("/c/gophers/new"), `<img src="/picture/`+two+`/small" alt="" loading="lazy">`)
	require.Contains(t, s.Visitor().Page("/c/gophers/new.json"), `"pictures":[{"url":"/picture/`+two+`","small_url":"/picture/`+two+
		`/small","width":800,"height":600,"alt":"A \"large\" gopher","colour":"#00695c"},`)
	require.Contains(t, s.Visitor().Page("/c/gophers/new.atom"), `&lt;img src=&#34;https://plaza.example/picture/`+two+`&#34;`)
	require.EqualValues(t, 2, s.One("SELECT count(*) FROM picture_uses"))

	t.Run("the author describes it anew and takes one out, and adds none", func(t *testing.T) {
		id := workertest.Targets(page)[0]
		form := ann.Page("/edit?target=" + id)
		require.Contains(t, form, `name="picture-1" value="`+two+`"`)
		res := ann.Post("/edit", "target", id, "text", "", "pictured", "1", "picture-1", ann.Upload(3))
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "is not here any more")
		res = ann.Post("/edit", "target", id, "text", "", "pictured", "1")
		require.Equal(t, http.StatusUnprocessableEntity, res.Code, "a post needs something")
		ann.MustPost("/edit", "target", id, "text", "", "pictured", "1", "picture-1", one, "alt-1", "Small", "picture-2", two, "drop-2", "1")
		require.Contains(t, s.Visitor().Page(address), `alt="Small"`)
		require.NotContains(t, s.Visitor().Page(address), two)
		ann.MustPost("/edit", "target", id, "text", "with words", "revision", revision(s, id))
		require.Contains(t, s.Visitor().Page(address), `alt="Small"`, "what the request does not name stays")
	})
	t.Run("what is not there can't be posted", func(t *testing.T) {
		res := ann.Post("/submit", "community", "gophers", "title", "None", "picture-1", workertest.Sum(9))
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "is not here any more")
		require.Contains(t, res.Body.String(), `value="`+workertest.Sum(9)+`"`, "the form comes back")
	})
}

// TestOnlyUploadersShowTheirSmallVersions: a browser makes the small version, and it may show something else than the picture.
func TestOnlyUploadersShowTheirSmallVersions(t *testing.T) {
	s := workertest.MustOpen(t)
	rita, forger, ann := s.Admin("rita"), s.Member("forger"), s.Member("ann")
	rita.MustPost("/admin/settings", "uploads", "everybody")
	ann.MustPost("/communities", "name", "gophers")
	sum := forger.Upload(1)
	require.Equal(t, sum, ann.Upload(1))
	whole, small := `src="/picture/`+sum+`"`, `src="/picture/`+sum+`/small"`
	shows := func(page, one, other string) {
		t.Helper()
		text := s.Visitor().Page(page)
		require.Contains(t, text, one, page)
		require.NotContains(t, text, other, page)
	}
	address := ann.MustPost("/submit", "community", "gophers", "title", "Ann's", "picture-1", sum)
	shows("/c/gophers/new", whole, small)
	shows("/u/ann", whole, small)
	require.Contains(t, s.Visitor().Page(address+".json"), `"small_url":"/picture/`+sum+`"`)
	require.Contains(t, s.Visitor().Page(address+".json"), `"colour":""`)
	target := workertest.Targets(s.Visitor().Page(address))[0]
	ann.MustPost("/comment", "post", target, "body", "Mine", "picture-1", sum)
	shows(address, whole, small)
	ann.MustPost("/settings", "group", "profile", "picture", sum)
	ann.MustPost("/c/gophers/settings", "title", "Gophers", "colour", "#00695c", "icon", sum)
	s.Deliver()
	shows("/u/ann", whole, small)
	shows("/communities", whole, small)
	require.Contains(t, ann.Page("/settings/profile"), whole)
	forger.MustPost("/submit", "community", "gophers", "title", "The forger's", "picture-1", sum)
	shows("/u/forger", small, whole)

	list := rita.Page("/admin/pictures")
	require.Contains(t, list, whole, "administrators decide about the picture itself")
	require.NotContains(t, list, small)
}

// revision is the revision of a post.
func revision(s *workertest.Site, _ string) string {
	return strconv.FormatInt(s.One("SELECT max(edited_at) FROM posts").(int64), 10)
}

func TestPicturesWithoutAScript(t *testing.T) {
	s := workertest.MustOpen(t)
	ann := s.Member("ann")
	ann.MustPost("/communities", "name", "gophers")
	require.Contains(t, ann.Page("/c/gophers/submit"), `enctype="multipart/form-data"`)
	good := pictures.Received{Field: "pictures", Name: "a.jpg", Type: "image/jpeg", Width: 4000, Height: 3000, Frames: 1, Bytes: 3_000_000,
		Sum: workertest.Sum(1)}
	bad := pictures.Received{Field: "pictures", Name: "<b>.svg", Problem: pictures.Kind}

	res := ann.PostPictures("/c/gophers/submit", []pictures.Received{good, bad}, "title", "A picture")
	require.Equal(t, http.StatusUnprocessableEntity, res.Code)
	require.Contains(t, res.Body.String(), "&lt;b&gt;.svg is no JPEG, PNG, GIF or WebP picture.")
	require.Contains(t, res.Body.String(), `name="picture-1" value="`+good.Sum+`"`, "the other one is kept, and can be described")

	res = ann.PostPictures("/preview", []pictures.Received{good}, "preview", "post", "in", "gophers", "title", "A picture")
	require.Equal(t, http.StatusOK, res.Code)
	require.Contains(t, res.Body.String(), `name="picture-1" value="`+good.Sum+`"`)

	res = ann.PostPictures("/c/gophers/submit", []pictures.Received{good}, "title", "A picture", "status", "draft")
	require.Equal(t, http.StatusSeeOther, res.Code, res.Body.String())
	id := workertest.Targets(ann.Page(res.Header().Get("Location")))[0]
	require.Contains(t, ann.Page("/draft?target="+id), `name="picture-1" value="`+good.Sum+`"`)
	ann.MustPost("/publish", "target", id)
	require.Contains(t, s.Visitor().Page("/c/gophers/p/a-picture"), `src="/picture/`+good.Sum+`"`)
	require.NotContains(t, s.Visitor().Page("/c/gophers/new"), good.Sum, "without a small version, it is too large for a listing")
}

func TestWhoMayUpload(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, ben := s.Admin("ann"), s.Member("ben")
	ann.MustPost("/communities", "name", "gophers")
	picture := func(n int) []pictures.Received {
		return []pictures.Received{{Field: "picture", Type: "image/webp", Width: 8, Height: 8, Frames: 1, Bytes: 1 << 20, Sum: workertest.Sum(n)}}
	}
	ben.WithHeader("Accept", "application/json")
	refused := func(status int, says string, list []pictures.Received) {
		t.Helper()
		res := ben.PostPictures("/pictures", list)
		require.Equal(t, status, res.Code, res.Body.String())
		require.Contains(t, res.Body.String(), says)
		require.Contains(t, res.Body.String(), `"field":"picture"`)
	}
	refused(http.StatusForbidden, "for a week", picture(1))
	refused(http.StatusUnprocessableEntity, "is no JPEG", []pictures.Received{{Field: "picture", Problem: pictures.Kind}})
	refused(http.StatusUnprocessableEntity, "send one picture", nil)
	require.Empty(t, inBucket(s))
	ann.MustPost("/admin/settings", "uploads", "everybody")
	for n := range 10 {
		require.Equal(t, http.StatusOK, ben.PostPictures("/pictures", picture(n)).Code)
	}
	require.Equal(t, http.StatusOK, ben.PostPictures("/pictures", picture(3)).Code, "what is there already counts once")
	refused(http.StatusTooManyRequests, "You can upload 10 pictures a day", picture(11))
	s.Exec("UPDATE pictures SET created_at = created_at - 86400000")
	ann.MustPost("/admin/settings", "member_room", "10")
	refused(http.StatusForbidden, "take up all of your 10 MB", picture(11))
	ann.MustPost("/admin/settings", "member_room", "500", "site_room", "10")
	refused(http.StatusForbidden, "no room for more", picture(11))
	ann.MustPost("/admin/settings", "uploads", "nobody")
	refused(http.StatusForbidden, "can't be uploaded here", picture(11))
	require.NotContains(t, ben.Page("/c/gophers/submit"), `type="file"`)
}

func TestPicturesThatNothingUsesGo(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	ann.MustPost("/communities", "name", "gophers")
	ben.MustPost("/communities", "name", "crabs")
	one, two, three := ann.Upload(1), ann.Upload(2), ann.Upload(3)
	first := ann.MustPost("/submit", "community", "gophers", "title", "First", "picture-1", one, "picture-2", two)
	second := ben.MustPost("/submit", "community", "crabs", "title", "Second", "picture-1", two)
	draft := ann.MustPost("/submit", "community", "gophers", "title", "Draft", "picture-1", three, "status", "draft")
	unused := ann.Upload(4)
	hour(s)
	require.Equal(t, []string{one, two, three, unused}, inBucket(s))
	s.Pass(25 * time.Hour)
	hour(s)
	require.Equal(t, []string{one, two, three}, inBucket(s), "a draft uses its pictures, too")
	require.EqualValues(t, 3, s.One("SELECT count(*) FROM pictures"))
	require.EqualValues(t, 0, s.One("SELECT count(*) FROM pictures WHERE check_at IS NOT NULL"))

	ann.MustPost("/delete", "target", workertest.Targets(ann.Page(first))[0])
	ann.MustPost("/delete", "target", workertest.Targets(ann.Page(draft))[0])
	hour(s)
	require.Equal(t, []string{one, two, three}, inBucket(s), "for a day, they stay")
	ann.MustPost("/submit", "community", "gophers", "title", "Third", "picture-1", three)
	s.Pass(25 * time.Hour)
	hour(s)
	require.Equal(t, []string{two, three}, inBucket(s), "one use spares the picture")
	require.Contains(t, s.Visitor().Page(second), two)
	require.EqualValues(t, 400_000, s.One("SELECT bytes FROM picture_totals WHERE user_id = 0"))
	require.EqualValues(t, 0, s.One("SELECT count(*) FROM picture_losses"))
}

// TestErasingTakesPictures erases a post one of whose pictures another post shows.
func TestErasingTakesPictures(t *testing.T) {
	s := workertest.MustOpen(t)
	ann := s.Admin("ann")
	ann.MustPost("/communities", "name", "gophers")
	one, two := ann.Upload(1), ann.Upload(2)
	ann.MustPost("/submit", "community", "gophers", "title", "Another", "picture-1", two)
	address := ann.MustPost("/submit", "community", "gophers", "title", "First", "picture-1", one, "picture-2", two)
	ann.MustPost("/admin/erase", "target", workertest.Targets(ann.Page(address))[0], "rule", string(erase.Grounds[0]))
	require.Equal(t, []string{two}, inBucket(s))
	require.EqualValues(t, 1, s.One("SELECT count(*) FROM pictures"))

	three, typed := ann.Upload(3), ann.Upload(4) // typed is for a form that is open
	s.Pass(time.Minute)
	address = ann.MustPost("/submit", "community", "gophers", "title", "Second", "picture-1", three)
	target := workertest.Targets(ann.Page(address))[0]
	ann.MustPost("/delete", "target", target)
	require.Len(t, inBucket(s), 3)
	ann.MustPost("/admin/erase", "target", target, "rule", string(erase.Grounds[0]))
	require.ElementsMatch(t, []string{two, typed}, inBucket(s), "its author had deleted it before")
}

// TestABrokenSweepGoesOn ends the job between its steps.
func TestABrokenSweepGoesOn(t *testing.T) {
	s := workertest.MustOpen(t)
	ann := s.Member("ann")
	ann.MustPost("/communities", "name", "gophers")
	one := ann.Upload(1)
	s.Exec("UPDATE pictures SET state = 'deleting', check_at = 1")
	res := ann.Post("/submit", "community", "gophers", "title", "First", "picture-1", one)
	require.Equal(t, http.StatusUnprocessableEntity, res.Code)
	res = ann.PostPictures("/pictures", []pictures.Received{{Field: "picture", Type: "image/webp", Width: 1, Height: 1, Bytes: 9, Sum: one}})
	require.Equal(t, http.StatusServiceUnavailable, res.Code, "it would be deleted at once")
	hour(s)
	require.Empty(t, inBucket(s))
	require.EqualValues(t, 0, s.One("SELECT count(*) FROM pictures"))
	ann.Upload(1)
	ann.MustPost("/submit", "community", "gophers", "title", "First", "picture-1", one)
}
