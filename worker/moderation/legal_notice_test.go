package moderation_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
)

func TestLegalNotices(t *testing.T) {
	s := workertest.MustOpen(t)
	box := s.Mailbox()
	ann, ben := s.Member("ann"), s.Member("ben")
	ann.MustPost("/communities", "name", "gophers")
	address := ben.MustPost("/submit", "community", "gophers", "title", "My book", "text", "Copied")
	post := workertest.Targets(ben.Page(address))[0]
	ben.MustPost("/comment", "post", post, "body", "Copied as well")
	comment := workertest.Targets(ben.Page(address))[1]
	s.DeliverAll()
	linkIn := func(subject string) string {
		s.Helper()
		s.DeliverAll()
		all := box.Mails("eve@example.org")
		require.NotEmpty(s, all)
		last := all[len(all)-1]
		require.Contains(s, last.Subject, subject)
		return regexp.MustCompile(`/notice/\S+`).FindString(last.Text)
	}
	fields := func(more ...string) []string {
		return append([]string{"url", "https://plaza.example" + address, "kind", "rights", "text", "It is a copy of my book.", "name", "Eve",
			"email", "eve@example.org", "faith", "1"}, more...)
	}
	count := func(sql string) int64 { return s.One("SELECT count(*) FROM " + sql).(int64) }
	visitor := s.Visitor()

	t.Run("come back with what was typed, and say what is wrong", func(t *testing.T) {
		s.T = t
		for _, wrong := range [][]string{{"url", "https://evil.example" + address}, {"url", "https://plaza.exampl" + address}, {"url", "/c/gophers/p/nothing"}, {"url", "/c/nowhere/p/x"},
			{"url", "/u/nobody"}, {"kind", "x"}, {"text", " "}, {"name", ""}, {"email", "eve"}, {"email", "eve@example.org?subject=x"}, {"email", "eve@example.org;v@example.org"}, {"faith", ""}, {"text", strings.Repeat("x", 2001)}} {
			f := fields()
			for i := 0; i < len(f); i += 2 {
				if f[i] == wrong[0] {
					f[i+1] = wrong[1]
				}
			}
			res := visitor.Post("/notice", f...)
			require.Equal(t, http.StatusUnprocessableEntity, res.Code, "%v", wrong)
			require.Contains(t, res.Body.String(), `class="wrong"`, "%v", wrong)
		}
		for _, place := range []string{"/c/gophers", "/c/gophers/pages/rules"} {
			res := visitor.Post("/notice", append([]string{"url", place}, fields()[2:]...)...)
			require.Equal(t, http.StatusUnprocessableEntity, res.Code)
			require.Contains(t, res.Body.String(), "write to the administrators about a community")
		}
		require.Zero(t, count("legal_notices"))
	})
	var link string
	t.Run("count when they are confirmed, and are in the queue with a reason of their own", func(t *testing.T) {
		s.T = t
		require.Equal(t, "/notice?sent", visitor.MustPost("/notice", fields()...))
		s.DeliverAll()
		require.Zero(t, count("reports"))
		link = linkIn("Confirm")
		require.Contains(t, visitor.Page(link), "Nobody looks at it before you have confirmed it.")
		require.Zero(t, count("reports"), "to look changes nothing")
		for range 2 {
			visitor.MustPost(link, "do", "confirm")
		}
		require.EqualValues(t, 1, count("reports"))
		page := ann.Page("/c/gophers/mod/queue")
		require.Contains(t, page, "Notice: rights of others")
		require.Contains(t, page, "It is a copy of my book.")
		require.NotContains(t, page, "eve@example.org")
		require.Equal(t, http.StatusNotFound, visitor.Get(strings.Replace(link, "key=", "key=x", 1)).Code)
	})
	t.Run("are answered with the decision, against which one can object once", func(t *testing.T) {
		s.T = t
		s.Pass(time.Minute)
		require.Contains(t, visitor.Page(link), "It waits for the moderators.")
		ann.PostBody("/c/gophers/mod/queue", "application/x-www-form-urlencoded", "decision=ignore&target="+post)
		s.Pass(time.Minute)
		require.Equal(t, link, linkIn("Decision"))
		require.Contains(t, visitor.Page(link), "Article 21 of the Digital Services Act")
		require.Contains(t, visitor.Page(link), "the moderators take no reports about it")
		require.NotContains(t, visitor.Page(link), "the moderators found")
		require.Equal(t, http.StatusUnprocessableEntity, visitor.Post(link, "do", "object", "text", "").Code)
		visitor.MustPost(link, "do", "object", "text", "I can show the contract.")
		require.Contains(t, ann.Page("/c/gophers/mod/queue"), "I can show the contract.")
		visitor.MustPost(link, "do", "object", "text", "Again")
		s.Pass(time.Minute)
		require.Contains(t, visitor.Page(link), "You have objected.", "nobody has decided, though the first decision was to ignore")
		require.NotContains(t, ann.Page("/c/gophers/mod/queue"), "Again")
		ann.PostBody("/c/gophers/mod/queue", "application/x-www-form-urlencoded", "decision=remove&rule=Spam&target="+post)
		s.Pass(time.Minute)
		require.Contains(t, visitor.Page(link), "The content was removed.")
		require.NotContains(t, visitor.Page(link), "textarea")
		require.EqualValues(t, 1, count("legal_notices WHERE status = 'closed'"))
		require.Equal(t, http.StatusNotFound, visitor.Post(link, "do", "object", "text", "Again").Code)
		require.Equal(t, http.StatusUnprocessableEntity, visitor.Post("/notice", fields()...).Code, "its address tells nothing any more")
	})
	t.Run("can be about comments and members, and end when these are gone", func(t *testing.T) {
		s.T = t
		german := s.Visitor()
		german.Header.Set("Accept-Language", "de")
		for _, place := range []string{address + "/" + comment, "/p/" + post + "/" + comment, "/u/ben"} {
			german.MustPost("/notice", append([]string{"url", place}, fields()[2:]...)...)
			s.DeliverAll()
			s.Visitor().MustPost(linkIn("Bestätige"), "do", "confirm")
		}
		require.EqualValues(t, 3, count("legal_notices WHERE status = 'open'"))
		require.EqualValues(t, 1, s.One("SELECT reports FROM queue_items WHERE community_id = 0"))
		ben.MustPost("/delete", "target", comment)
		s.DeliverAll()
		s.Pass(time.Minute)
		require.EqualValues(t, 2, count("legal_notices WHERE status = 'decided' AND decision = 'deleted'"))
		linkIn("Entscheidung")
		all := box.Mails("eve@example.org")
		require.Contains(t, all[len(all)-1].Text, "Der Inhalt ist fort: Er wurde gelöscht.")
	})
	t.Run("are few a mailbox, and go in time", func(t *testing.T) {
		s.T = t
		stranger := func() int { return len(box.Mails("zoe@example.org")) }
		for i := range 30 {
			of := append([]string{"url", "/u/ann"}, fields()[2:]...)
			of[5], of[9] = fmt.Sprint("It is copy ", i), "zoe@example.org"
			s.From(i/3).MustPost("/notice", of...)
			s.DeliverAll()
		}
		require.EqualValues(t, 30, count("legal_notices WHERE status = 'unconfirmed'"))
		require.Equal(t, 16, stranger(), "ten, and then one for each of six more networks")
		s.Later(49 * time.Hour)
		s.Now = s.Now.Truncate(time.Hour).Add(time.Hour)
		s.Later(0)
		require.Zero(t, count("legal_notices WHERE status = 'unconfirmed'"))
		s.Now = s.Now.Add(181 * 24 * time.Hour)
		s.Later(0)
		require.EqualValues(t, 1, count("legal_notices"), "the one that waits")
	})
	s.Verified()
}

// TestLegalNoticesOfOthersShutNobodyOut: whatever others send first, a notice is taken, and confirmed by its own mail.
func TestLegalNoticesOfOthersShutNobodyOut(t *testing.T) {
	s := workertest.MustOpen(t)
	box := s.Mailbox()
	s.Strict(s.Redis)
	ann := s.Member("ann")
	ann.MustPost("/communities", "name", "gophers")
	send := func(b *workertest.Browser, address, email, text string) int {
		return b.Post("/notice", "url", address, "kind", "rights", "text", text, "name", "Eve", "email", email, "faith", "1").Code
	}
	fromNetworks := func(networks, each int, email func(i int) string) func(string) {
		return func(address string) {
			for i := range networks {
				for k := range each {
					require.Equal(s, http.StatusSeeOther, send(s.From(i), address, email(i), fmt.Sprint("Of ", i, k)))
				}
			}
			s.DeliverAll()
		}
	}
	for i, test := range []struct {
		name   string
		others func(address string)
	}{
		{"nobody", func(string) {}},
		{"ten with made-up addresses, about the same post", fromNetworks(10, 1, func(i int) string { return fmt.Sprint("no", i, "@no.example") })},
		{"forty with one made-up address", fromNetworks(8, 5, func(int) string { return "nobody@no.example" })},
		{"two thousand that wait for a confirmation", func(string) {
			s.Exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
INSERT INTO legal_notices (id, target_id, kind, text, name, email, mailbox, status) SELECT (SELECT max(id) FROM posts) + 4096 * i, 1, 'illegal', 'x', 'x', 'x@x.example', 'x@x.example', 'unconfirmed' FROM n`)
		}},
		{"twelve that are confirmed", func(address string) {
			fromNetworks(12, 1, func(i int) string { return fmt.Sprint("real", i, "@real.example") })(address)
			for i := range 12 {
				all := box.Mails(fmt.Sprint("real", i, "@real.example"))
				s.From(i).MustPost(regexp.MustCompile(`/notice/\S+`).FindString(all[len(all)-1].Text), "do", "confirm")
			}
		}},
		{"five with her address, from one network", fromNetworks(1, 5, func(int) string { return "eve5@example.org" })},
		{"nineteen with her address in several spellings, from as many networks", fromNetworks(19, 1,
			func(i int) string { return []string{"eve6@example.org", "Eve6@Example.org", "eve6+x@example.org"}[i%3] })},
		{"twenty with her address, from one network in four hours", func(address string) {
			for hour := range 4 {
				for k := range 5 {
					require.Equal(s, http.StatusSeeOther, send(s.From(50), address, "eve7@example.org", fmt.Sprint("At ", hour, k)))
				}
				s.Now = s.Now.Add(2 * time.Hour)
			}
			s.DeliverAll()
		}},
		{"five with her address an hour, from three networks", fromNetworks(3, 5, func(int) string { return "eve8@example.org" })},
		{"five of her own that she has confirmed", func(address string) {
			for k := range 5 {
				require.Equal(s, http.StatusSeeOther, send(s.From(100), address, "eve9@example.org", fmt.Sprint("Own ", k)))
				s.DeliverAll()
				all := box.Mails("eve9@example.org")
				s.From(100).MustPost(regexp.MustCompile(`/notice/\S+`).FindString(all[len(all)-1].Text), "do", "confirm")
			}
			s.Now = s.Now.Add(2 * time.Hour) // the limit of a network's notices
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s.T = t
			s.Now = s.Now.Add(2 * time.Hour) // behind the limits of the networks
			address := ann.MustPost("/submit", "community", "gophers", "title", fmt.Sprint("My book ", i), "text", "Copied")
			s.DeliverAll()
			test.others(address)
			email := fmt.Sprintf("eve%d@example.org", i)
			before := len(box.Mails(email))
			require.Equal(t, http.StatusSeeOther, send(s.From(100), address, email, "It is a copy of my book."))
			s.DeliverAll()
			require.Len(t, box.Mails(email), before+1, "her own mail")
			link := regexp.MustCompile(`/notice/\S+`).FindString(box.Mails(email)[before].Text)
			s.From(100).MustPost(link, "do", "confirm")
			require.EqualValues(t, 1, s.One("SELECT count(*) FROM legal_notices WHERE status = 'open' AND email = ?1 AND text = 'It is a copy of my book.'", email))
		})
	}
}

// TestALegalNoticeWithoutAMail: notices in her name from 25 networks use up the mails of her mailbox. She finds her own behind any of those
// mails.
func TestALegalNoticeWithoutAMail(t *testing.T) {
	s := workertest.MustOpen(t)
	box := s.Mailbox()
	ann := s.Member("ann")
	ann.MustPost("/communities", "name", "gophers")
	address := ann.MustPost("/submit", "community", "gophers", "title", "My book", "text", "Copied")
	send := func(b *workertest.Browser, email, text string) {
		require.Equal(t, "/notice?sent", b.MustPost("/notice", "url", address, "kind", "rights", "text", text, "name", "Eve", "email", email,
			"faith", "1"))
		s.DeliverAll()
	}
	for i := range 75 {
		send(s.From(i), []string{"eve.x@gmail.com", "Eve.X@GMail.com", "evex+shop@googlemail.com"}[i%3], fmt.Sprint("In her name ", i))
	}
	mails := func() (n int) {
		for _, m := range box.Mails("") {
			if strings.Contains(m.Text, "/notice/") {
				n++
			}
		}
		return n
	}
	before := mails()
	require.Equal(t, 20, before)
	send(s.From(100), "evexy@gmail.com", "Of somebody else")
	send(s.From(100), "eve.x@gmail.com", strings.Repeat("It is a copy of my book. ", 8))
	s.Exec("UPDATE legal_notices SET text = '' WHERE text = 'In her name 74'") // erased
	require.Equal(t, before+1, mails(), "none about her own")

	eve := s.Visitor()
	own := regexp.MustCompile(`href="(/notice/[^"]+)">It is a copy of my book\. [^<]*…</a>`)
	link, pages := regexp.MustCompile(`/notice/\S+`).FindString(box.Mails("eve.x@gmail.com")[0].Text), 0
	for !own.MatchString(eve.Page(link)) {
		list := regexp.MustCompile(`href="(/notice/[^"]+)">([^<]*)</a>`).FindAllStringSubmatch(eve.Page(link), -1)
		require.NotContains(t, eve.Page(link), "Of somebody else")
		require.NotContains(t, eve.Page(link), `"></a>`)
		link = list[0][1] // the newest of those next to it
		pages++
		require.Less(t, pages, 10)
	}
	require.Equal(t, 2, pages, "25 later ones on each page")
	mine := own.FindStringSubmatch(eve.Page(link))[1]
	eve.MustPost(mine, "do", "confirm")
	require.Equal(t, [][]any{{"It is a copy of my book."}}, s.Sql.Rows("SELECT substr(text, 1, 24) FROM legal_notices WHERE status = 'open'"))
	require.NotContains(t, eve.Page(mine), "Other notices with your address", "it no longer waits")
	require.NotContains(t, eve.Page(link), "It is a copy of my book.")
}

// TestALegalNoticeAboutWhatIsIgnored: the moderators have ignored reports before it came. So they have found nothing about it.
func TestALegalNoticeAboutWhatIsIgnored(t *testing.T) {
	s := workertest.MustOpen(t)
	box := s.Mailbox()
	ann, ben := s.Member("ann"), s.Member("ben")
	ann.MustPost("/communities", "name", "gophers")
	address := ann.MustPost("/submit", "community", "gophers", "title", "My book", "text", "Copied")
	post := workertest.Targets(ann.Page(address))[0]
	ben.MustPost("/report", "target", post, "reason", "Spam")
	ann.PostBody("/c/gophers/mod/queue", "application/x-www-form-urlencoded", "decision=ignore&target="+post)
	visitor := s.Visitor()
	visitor.MustPost("/notice", "url", address, "kind", "rights", "text", "It is a copy.", "name", "Eve", "email", "eve@example.org", "faith", "1")
	s.DeliverAll()
	link := regexp.MustCompile(`/notice/\S+`).FindString(box.Mails("eve@example.org")[0].Text)
	visitor.MustPost(link, "do", "confirm")
	s.Pass(time.Minute)
	for _, said := range []string{box.Mails("eve@example.org")[1].Text, visitor.Page(link)} {
		require.Contains(t, said, "The content stays: the moderators take no reports about it.")
		require.NotContains(t, said, "found")
	}
}

func TestAnObjectionToWhatWasRemovedSince(t *testing.T) {
	s := workertest.MustOpen(t)
	box := s.Mailbox()
	ann, visitor := s.Member("ann"), s.Visitor()
	ann.MustPost("/communities", "name", "gophers")
	address := s.Member("ben").MustPost("/submit", "community", "gophers", "title", "My book", "text", "Copied")
	post := workertest.Targets(ann.Page(address))[0]
	visitor.MustPost("/notice", "url", address, "kind", "rights", "text", "It is a copy.", "name", "Eve", "email", "eve@example.org", "faith", "1")
	s.DeliverAll()
	link := regexp.MustCompile(`/notice/\S+`).FindString(box.Mails("eve@example.org")[0].Text)
	visitor.MustPost(link, "do", "confirm")
	s.Pass(time.Minute)
	ann.PostBody("/c/gophers/mod/queue", "application/x-www-form-urlencoded", "decision=approve&target="+post)
	s.Pass(time.Minute)
	require.Equal(t, "approve", s.One("SELECT decision FROM legal_notices"))
	ann.MustPost("/c/gophers/mod/decide", "target", post, "decision", "remove", "rule", "Spam")
	visitor.MustPost(link, "do", "object", "text", "I can show the contract.")
	s.Pass(time.Minute)
	require.Equal(t, "remove", s.One("SELECT decision FROM legal_notices"))
	require.Contains(t, visitor.Page(link), "The content was removed.")
}

// The same form may be sent twice because its answer got lost. Later its mail may be lost, too.
func TestALegalNoticeThatIsSentTwice(t *testing.T) {
	s := workertest.MustOpen(t)
	box := s.Mailbox()
	ann := s.Member("ann")
	ann.MustPost("/communities", "name", "gophers")
	address := ann.MustPost("/submit", "community", "gophers", "title", "My book", "text", "Copied")
	for _, step := range []struct {
		wait  time.Duration
		mails int
	}{{0, 1}, {time.Minute, 1}, {10 * time.Minute, 2}} {
		s.Now = s.Now.Add(step.wait)
		require.Equal(t, "/notice?sent", s.Visitor().MustPost("/notice", "url", "https://plaza.example"+address, "kind", "rights", "text",
			"It is a copy of my book.", "name", "Eve", "email", "eve@example.org", "faith", "1"))
		s.DeliverAll()
		require.Len(t, box.Mails("eve@example.org"), step.mails)
	}
}
