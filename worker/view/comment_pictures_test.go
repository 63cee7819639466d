package view_test

import (
	"net/http"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
	"plaza/worker/pictures"
)

func TestPicturesInComments(t *testing.T) {
	s := workertest.MustOpen(t)
	root, founder, ann, bob := s.Admin("rita"), s.Member("founder"), s.Member("ann"), s.Member("bob")
	root.MustPost("/admin/settings", "uploads", "everybody", "comment_pictures", "everybody")
	founder.MustPost("/communities", "name", "gophers")
	address := founder.MustPost("/submit", "community", "gophers", "title", "Show me", "text", "Please.")
	target := workertest.Targets(founder.Page(address))[0]
	first, second := ann.Upload(1), ann.Upload(2)
	idOf := func(location string) string { return regexp.MustCompile(`[0-9a-z]{13}$`).FindString(location) }
	said := ann.MustPost("/comment", "post", target, "picture-1", first, "alt-1", "A rose", "picture-2", second)
	comment := idOf(said)
	said = address + "/" + comment

	t.Run("a comment needs no words if it shows pictures", func(t *testing.T) {
		page := s.Visitor().Page(address)
		require.Contains(t, page, `<a href="/picture/`+first+`"><img src="/picture/`+first+
			`/small" alt="A rose" width="149" height="112" loading="lazy" decoding="async"`)
		require.Contains(t, page, `alt="Picture 2 of 2, without a description" data-bare=""`)
		require.Contains(t, s.Visitor().Page(address+".json"), `"small_url":"/picture/`+first+`/small"`)
		require.Contains(t, s.Visitor().Page("/u/ann/comments"), `/picture/`+first+`/small`)
		require.Contains(t, s.Visitor().Page("/u/ann/comments.json"), `/picture/`+first+`/small`)
	})
	t.Run("one that has no small version is a tile, so that nobody gets megabytes", func(t *testing.T) {
		cleo := s.Member("cleo")
		large := []pictures.Received{{Field: "pictures", Name: "a.gif", Type: "image/gif", Width: 800, Height: 600, Frames: 1, Bytes: 3_000_000,
			Sum: workertest.Sum(60)}}
		res := cleo.PostPictures("/comment", large, "post", target, "body", "Large")
		require.Equal(t, http.StatusSeeOther, res.Code, res.Body.String())
		page := s.Visitor().Page(address)
		require.NotContains(t, page, `src="/picture/`+workertest.Sum(60))
		require.Contains(t, page, `<a href="/picture/`+workertest.Sum(60)+`"><span class="shade" data-bare="">Picture 1 of 1, without a description</span></a>`)
		large[0].Sum = workertest.Sum(61)
		require.Equal(t, http.StatusSeeOther, cleo.PostPictures("/c/gophers/submit", large, "title", "A large one").Code)
		s.Exec("UPDATE pictures SET colour = '#00695c'")
		require.NotContains(t, root.Page("/admin/pictures"), `src="/picture/`+workertest.Sum(61))
		require.Contains(t, root.Page("/admin/pictures"), `<a href="/picture/`+workertest.Sum(61)+`">`)
		require.Contains(t, root.Page("/admin/pictures"), `<span class="shade k011">Picture 1</span>`)
		post := regexp.MustCompile(`/p/([0-9a-z]{13})`).FindStringSubmatch(root.Page("/admin/pictures"))[1]
		bob.MustPost("/report", "target", post, "reason", "Spam")
		require.Contains(t, founder.Page("/c/gophers/mod/queue"), `<a href="/picture/`+workertest.Sum(61)+`">Picture 1</a>`)
		require.NotContains(t, founder.Page("/c/gophers/mod/queue"), `src="/picture/`+workertest.Sum(61))
		founder.MustPost("/c/gophers/mod/decide", "target", post, "decision", "remove", "rule", "Spam", "block", "community")
		require.Contains(t, founder.Page("/c/gophers/mod/pictures"), `<a href="/picture/`+workertest.Sum(61)+`">`)
		require.NotContains(t, founder.Page("/c/gophers/mod/pictures"), `src="/picture/`)
	})
	t.Run("one without words and pictures is refused, and so are five pictures, with what was typed", func(t *testing.T) {
		require.Equal(t, http.StatusUnprocessableEntity, ann.Post("/comment", "post", target, "pictured", "1").Code)
		fields := []string{"post", target, "body", "Five of them"}
		for i, name := range []string{"picture-1", "picture-2", "picture-3", "picture-4", "picture-5"} {
			fields = append(fields, name, ann.Upload(10+i))
		}
		res := ann.Post("/comment", fields...)
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "A comment has at most 4 pictures.")
		require.Contains(t, res.Body.String(), "Five of them")
		require.Contains(t, res.Body.String(), `value="`+workertest.Sum(14)+`"`)
	})
	t.Run("without a script they come with the form", func(t *testing.T) {
		form := ann.Page("/reply?to=" + target)
		require.Contains(t, form, `enctype="multipart/form-data"`)
		require.Contains(t, form, `type="file"`)
		res := ann.PostPictures("/comment", []pictures.Received{{Field: "pictures", Name: "a.webp", Type: "image/webp", Width: 800, Height: 600,
			Frames: 1, Bytes: 20_000, Sum: workertest.Sum(20)}}, "post", target, "body", "By hand")
		require.Equal(t, http.StatusSeeOther, res.Code, res.Body.String())
		require.Contains(t, ann.Page(address), `<img src="/picture/`+workertest.Sum(20)+`" alt="Picture 1 of 1, without a description"`)
	})
	t.Run("in the thread there is a button, and the field comes alone", func(t *testing.T) {
		require.Contains(t, ann.Page(address), `hx-get="/reply?to=`+target+`&amp;pictures=1&amp;fragment=1"`)
		require.NotContains(t, s.Visitor().Page(address), "add-pictures")
		ann.WithHeader("HX-Request", "true")
		defer ann.Header.Del("HX-Request")
		require.Contains(t, ann.Page("/reply?to="+comment+"&fragment=1"), "add-pictures")
		field := ann.Page("/reply?to=" + comment + "&pictures=1&fragment=1")
		require.Contains(t, field, `data-most="4" data-key="`+comment+`"`)
		require.NotContains(t, field, "<form")
	})
	t.Run("its author describes them anew and takes them out, and adds none", func(t *testing.T) {
		require.Contains(t, ann.Page("/edit?target="+comment), `name="picture-2" value="`+second+`"`)
		revision := regexp.MustCompile(`name="revision" value="(\d+)"`).FindStringSubmatch(ann.Page("/edit?target=" + comment))[1]
		res := ann.Post("/edit", "target", comment, "body", "", "revision", revision, "picture-1", ann.Upload(3))
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		ann.MustPost("/edit", "target", comment, "body", "", "revision", revision, "pictured", "1", "picture-1", first, "alt-1", "A red rose",
			"picture-2", second, "drop-2", "1")
		page := s.Visitor().Page(said)
		require.Contains(t, page, "A red rose")
		require.NotContains(t, page, second)
		revision = regexp.MustCompile(`name="revision" value="(\d+)"`).FindStringSubmatch(ann.Page("/edit?target=" + comment))[1]
		require.Equal(t, http.StatusUnprocessableEntity,
			ann.Post("/edit", "target", comment, "body", "", "revision", revision, "pictured", "1").Code, "nothing would be left")
		ann.MustPost("/edit", "target", comment, "body", "Words", "revision", revision)
		require.Contains(t, s.Visitor().Page(said), "A red rose", "a form that names none leaves them")
	})
	t.Run("the rule about first pictures holds it, and its author still sees it", func(t *testing.T) {
		founder.MustPost("/c/gophers/mod/rule", "title", "First pictures", "pictures", "1", "accepted", "5", "do", "hold", "active", "1")
		waits := bob.MustPost("/comment", "post", target, "picture-1", bob.Upload(30))
		require.NotContains(t, s.Visitor().Page(address), workertest.Sum(30))
		require.Contains(t, bob.Page(address+"/"+idOf(waits)), "/picture/"+workertest.Sum(30)+"/small")
		require.Contains(t, founder.Page("/c/gophers/mod/queue"), "/picture/"+workertest.Sum(30)+"/small")
	})
	t.Run("an erased comment takes them along", func(t *testing.T) {
		gone := idOf(founder.MustPost("/comment", "post", target, "body", "To go", "picture-1", founder.Upload(40)))
		root.MustPost("/admin/erase", "target", gone, "rule", "Illegal content")
		require.NotContains(t, s.Visitor().Page(address), workertest.Sum(40))
		kept, err := s.Bucket.List(t.Context(), "", 500)
		require.NoError(t, err)
		for _, o := range kept {
			require.NotEqual(t, workertest.Sum(40), o.Sum)
		}
	})
	t.Run("moderators see them with the case and block them with the removal", func(t *testing.T) {
		bob.MustPost("/report", "target", comment, "reason", "Spam")
		require.Contains(t, founder.Page("/c/gophers/mod/queue"), `<img src="/picture/`+first+`/small"`)
		require.Contains(t, founder.Page("/c/gophers/mod/decide?target="+comment), `name="block" value="community"`)
		founder.MustPost("/c/gophers/mod/decide", "target", comment, "decision", "remove", "rule", "Spam", "block", "community")
		require.NotContains(t, s.Visitor().Page(address), first)
		require.NotContains(t, s.Visitor().Page(address+".json"), first)
		res := ann.Post("/comment", "post", target, "body", "Again", "picture-1", first)
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "Picture 1 was removed here.")
		require.Contains(t, res.Body.String(), "Again")
	})
	t.Run("the strictest of site and community holds", func(t *testing.T) {
		refused := func(b *workertest.Browser, says string) {
			t.Helper()
			res := b.Post("/comment", "post", target, "body", "A picture", "picture-1", b.Upload(50))
			require.Equal(t, http.StatusForbidden, res.Code)
			require.Contains(t, res.Body.String(), says)
		}
		settings := []string{"title", "Gophers", "colour", "#00695c"}
		founder.MustPost("/c/gophers/settings", append(settings, "comment_pictures", "trusted")...)
		refused(ann, "have been here for a week")
		require.Contains(t, ann.Page("/reply?to="+target), "have been here for a week")
		require.NotContains(t, ann.Page("/reply?to="+target), `type="file"`)
		founder.MustPost("/c/gophers/settings", append(settings, "comment_pictures", "nobody")...)
		refused(founder, "Comments here have no pictures.")
		require.NotContains(t, founder.Page(address), "add-pictures")
		require.Equal(t, http.StatusUnprocessableEntity,
			founder.Post("/c/gophers/settings", append(settings, "comment_pictures", "everybody")...).Code)
		founder.MustPost("/c/gophers/settings", settings...)
		require.Contains(t, founder.Page(address), "add-pictures")
		root.MustPost("/admin/settings", "comment_pictures", "nobody")
		refused(founder, "Comments here have no pictures.")
		require.NotContains(t, founder.Page(address), "add-pictures")
	})
}
