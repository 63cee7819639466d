package moderation_test

import (
	"net/http"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/events/inbox"
	"plaza/test/workertest"
)

// unreadNow is what the header of a member's next page counts.
func unreadNow(b *workertest.Browser) string {
	b.Helper()
	b.Now = b.Now.Add(data.MemberCacheTTL + 1)
	return workertest.Unread(b.Page("/communities"))
}

func TestAuthorsAreNotifiedOfDecisions(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, ben, cid, dan := s.Member("ann"), s.Member("ben"), s.Member("cid"), s.Member("dan")
	ann.MustPost("/communities", "name", "gophers")
	address := ben.MustPost("/submit", "community", "gophers", "title", "Heavy words", "text", "Weighty")
	post := workertest.Targets(ben.Page(address))[0]
	ben.MustPost("/comment", "post", post, "body", "Harsh remark")
	comment := data.ID(s.One("SELECT id FROM comments").(int64)).Text()
	s.DeliverAll()
	const decide, queue = "/c/gophers/mod/decide", "/c/gophers/mod/queue"
	link := func(b *workertest.Browser, says string) string {
		t.Helper()
		m := regexp.MustCompile(`href="([^"]*)">(?:<i>.{1,60}</i>)?<strong>` + says + `</strong>`).FindStringSubmatch(b.Page("/inbox/moderation"))
		require.NotNil(t, m, says)
		return m[1]
	}

	t.Run("the author reads by which rule, and the word to them", func(t *testing.T) {
		s.T = t
		ann.MustPost(decide, "target", comment, "decision", "remove", "rule", "Spam", "text", "Please don't.")
		s.DeliverAll()
		require.Equal(t, "1", unreadNow(ben))
		page := ben.Page(link(ben, "Your comment was removed"))
		require.Contains(t, page, "Rule: Spam")
		require.Contains(t, page, "Please don&#39;t.")
		require.Contains(t, page, "<p class=\"quoted\">Harsh remark</p>", "what it is about")
		require.Contains(t, page, "A person decided this, without a report.")
		require.Contains(t, page, "The ground is a rule")
		require.Contains(t, page, "Article 21 of the Digital Services Act")
		require.Contains(t, page, address+"/"+comment)
		require.NotContains(t, page, "/messages/new?", "it can be appealed against")
		require.Empty(t, unreadNow(ben))
	})
	t.Run("nobody else reads it but the moderators", func(t *testing.T) {
		s.T = t
		path := link(ben, "Your comment was removed")
		require.Equal(t, http.StatusNotFound, cid.Get(path).Code)
		require.Equal(t, http.StatusOK, ann.Get(path).Code)
		require.NotContains(t, ann.Page("/inbox"), "was removed")
	})
	t.Run("the author is told when it is taken back", func(t *testing.T) {
		s.T = t
		path := link(ben, "Your comment was removed")
		ann.MustPost(decide, "target", comment, "decision", "approve")
		s.DeliverAll()
		require.Contains(t, ben.Page("/inbox"), "Your comment was approved: everybody can see it")
		require.Contains(t, ben.Page(link(ben, "Your comment was approved: everybody can see it")), "/messages/new?community=gophers&amp;target="+
			comment)
		require.Contains(t, ben.Page(path), "This was undone later.")
	})
	t.Run("reporters are told what became of it, the moderator and others are not", func(t *testing.T) {
		s.T = t
		for _, b := range []*workertest.Browser{ann, cid, dan} {
			b.MustPost("/report", "target", post, "reason", "Spam")
		}
		cid.MustPost("/report", "target", comment, "reason", "Spam")
		require.Equal(t, http.StatusSeeOther, ann.PostBody(queue, "application/x-www-form-urlencoded", "decision=remove&rule=Spam&target="+post+
			"&target="+comment).Code)
		s.DeliverAll()
		require.Equal(t, "2", unreadNow(cid))
		require.Equal(t, "1", unreadNow(dan))
		require.NotContains(t, ann.Page("/inbox"), "reported")
		cid.Page(link(cid, "What you have reported was removed"))
		require.Equal(t, "1", unreadNow(cid))
		require.Contains(t, ben.Page("/inbox"), "Your post was removed")
		require.NotContains(t, dan.Page("/inbox"), "Heavy words", "who can't see it any more does not read its title")
		require.Contains(t, ben.Page("/inbox/moderation"), "Heavy words")
	})
	t.Run("also that it may stay, and only of their own report", func(t *testing.T) {
		s.T = t
		again := workertest.Targets(ben.Page(ben.MustPost("/submit", "community", "gophers", "title", "Light words", "text", "text")))[0]
		cid.MustPost("/report", "target", again, "reason", "Spam")
		ann.MustPost(queue, "one", "approve "+again)
		s.DeliverAll()
		require.Contains(t, cid.Page("/inbox"), "What you have reported may stay")
		dan.MustPost("/report", "target", again, "reason", "Spam")
		ann.MustPost(queue, "one", "ignore "+again)
		s.DeliverAll()
		require.Equal(t, int64(1), s.One("SELECT count(*) FROM inbox i JOIN users u ON u.id = i.user_id WHERE u.username = 'cid' "+
			"AND i.event = ?1", string(inbox.ReportKept)))
		require.Contains(t, dan.Page("/inbox"), "What you have reported may stay")
	})
	t.Run("a report that comes before the earlier reporters are told", func(t *testing.T) {
		s.T = t
		twice := workertest.Targets(ben.Page(ben.MustPost("/submit", "community", "gophers", "title", "Twice reported", "text", "text")))[0]
		cid.MustPost("/report", "target", twice, "reason", "Spam")
		ann.MustPost(queue, "one", "approve "+twice)
		s.Queue.Take("plaza-events") // its messages are lost
		dan.MustPost("/report", "target", twice, "reason", "Spam")
		s.Pass(2 * time.Minute)
		about := func(who, event string) int64 {
			return s.One("SELECT count(*) FROM inbox i JOIN users u ON u.id = i.user_id WHERE u.username = ?1 AND i.event = ?2 AND i.about_id = ?3",
				who, event, int64(workertest.MustID(t, twice))).(int64)
		}
		require.Equal(t, []int64{1, 0}, []int64{about("cid", "report-kept"), about("dan", "report-kept")})
		ann.MustPost(queue, "one", "remove "+twice+" Spam")
		s.Pass(2 * time.Minute)
		require.Equal(t, []int64{1, 0}, []int64{about("cid", "report-kept"), about("cid", "report-removed")})
		require.Equal(t, []int64{0, 1}, []int64{about("dan", "report-kept"), about("dan", "report-removed")})
		require.Equal(t, int64(0), s.One("SELECT count(*) FROM report_outcomes"))
	})
	t.Run("a lost message, and one that comes twice", func(t *testing.T) {
		s.T = t
		notified := func() int64 { return s.One("SELECT count(*) FROM inbox WHERE event = 'approve'").(int64) }
		before := notified()
		ann.MustPost(decide, "target", post, "decision", "approve")
		s.Queue.Take("plaza-events")
		s.DeliverAll()
		require.Equal(t, before, notified())
		s.Pass(2 * time.Minute)
		require.Equal(t, before+1, notified())
		s.Exec("INSERT INTO outbox (subject_id, job, queued_at, due_at) SELECT id, 'decided', 1, 0 FROM moderation_log WHERE action " +
			"IN ('approve', 'remove')")
		s.Pass(2 * time.Minute)
		require.Equal(t, before+1, notified())
	})
	t.Run("what an administrator decides about a member reported is told", func(t *testing.T) {
		s.T = t
		rita := s.Admin("rita")
		cid.MustPost("/report", "user", "ben", "reason", "Spam")
		rita.MustPost("/mod/queue", "one", "ignore "+data.ID(s.One("SELECT id FROM users WHERE username = 'ben'").(int64)).Text())
		s.DeliverAll()
		require.Contains(t, cid.Page("/inbox/moderation"), `href="/report?user=ben"`)
	})
	require.Equal(t, int64(0), s.One("SELECT count(*) FROM outbox WHERE job IN ('decided', 'reported')"))
}
