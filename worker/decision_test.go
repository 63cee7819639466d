package worker_test

import (
	"net/http"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/inbox"
)

// unread is what the header of a member's next page counts.
func (b *browser) unreadNow() string {
	b.Helper()
	b.now = b.now.Add(data.OwnLife + 1)
	return unread(b.page("/communities"))
}

func TestDecisionsAreTold(t *testing.T) {
	s := mustOpen(t)
	ann, ben, cid, dan := s.member("ann"), s.member("ben"), s.member("cid"), s.member("dan")
	ann.mustPost("/communities", "name", "gophers")
	address := ben.mustPost("/submit", "community", "gophers", "title", "Heavy words", "text", "Weighty")
	post := targets(ben.page(address))[0]
	ben.mustPost("/comment", "post", post, "body", "Harsh remark")
	comment := data.ID(s.one("SELECT id FROM comments").(int64)).Text()
	s.deliverAll()
	const decide, queue = "/c/gophers/mod/decide", "/c/gophers/mod/queue"
	link := func(b *browser, says string) string {
		t.Helper()
		m := regexp.MustCompile(`href="([^"]*)">` + says + `</a>`).FindStringSubmatch(b.page("/inbox/moderation"))
		require.NotNil(t, m, says)
		return m[1]
	}

	t.Run("the author reads by which rule, and the word to them", func(t *testing.T) {
		s.T = t
		ann.mustPost(decide, "target", comment, "decision", "remove", "rule", "Spam", "text", "Please don't.")
		s.deliverAll()
		require.Equal(t, "1", ben.unreadNow())
		page := ben.page(link(ben, "Your comment was removed"))
		require.Contains(t, page, "Rule: Spam")
		require.Contains(t, page, "Please don&#39;t.")
		require.Contains(t, page, address+"/"+comment)
		require.NotContains(t, page, "/messages/new?", "it can be appealed against")
		require.Empty(t, ben.unreadNow())
	})
	t.Run("nobody else reads it but the moderators", func(t *testing.T) {
		s.T = t
		path := link(ben, "Your comment was removed")
		require.Equal(t, http.StatusNotFound, cid.get(path).Code)
		require.Equal(t, http.StatusOK, ann.get(path).Code)
		require.NotContains(t, ann.page("/inbox"), "was removed")
	})
	t.Run("the author is told when it is taken back", func(t *testing.T) {
		s.T = t
		path := link(ben, "Your comment was removed")
		ann.mustPost(decide, "target", comment, "decision", "approve")
		s.deliverAll()
		require.Contains(t, ben.page("/inbox"), "Your comment was approved: everybody can see it")
		require.Contains(t, ben.page(link(ben, "Your comment was approved: everybody can see it")), "/messages/new?community=gophers&amp;target="+comment)
		require.Contains(t, ben.page(path), "This was taken back later.")
	})
	t.Run("reporters are told what became of it, the moderator and others are not", func(t *testing.T) {
		s.T = t
		for _, b := range []*browser{ann, cid, dan} {
			b.mustPost("/report", "target", post, "reason", "Spam")
		}
		cid.mustPost("/report", "target", comment, "reason", "Spam")
		require.Equal(t, http.StatusSeeOther, ann.postBody(queue, "application/x-www-form-urlencoded", "decision=remove&rule=Spam&target="+post+"&target="+comment).Code)
		s.deliverAll()
		require.Equal(t, "2", cid.unreadNow())
		require.Equal(t, "1", dan.unreadNow())
		require.NotContains(t, ann.page("/inbox"), "reported")
		cid.page(link(cid, "What you have reported was removed"))
		require.Equal(t, "1", cid.unreadNow())
		require.Contains(t, ben.page("/inbox"), "Your post was removed")
		require.NotContains(t, dan.page("/inbox"), "Heavy words", "who can't see it any more does not read its title")
		require.Contains(t, ben.page("/inbox/moderation"), "Heavy words")
	})
	t.Run("also that it may stay, and only of their own report", func(t *testing.T) {
		s.T = t
		again := targets(ben.page(ben.mustPost("/submit", "community", "gophers", "title", "Light words", "text", "text")))[0]
		cid.mustPost("/report", "target", again, "reason", "Spam")
		ann.mustPost(queue, "one", "approve "+again)
		s.deliverAll()
		require.Contains(t, cid.page("/inbox"), "What you have reported may stay")
		dan.mustPost("/report", "target", again, "reason", "Spam")
		ann.mustPost(queue, "one", "ignore "+again)
		s.deliverAll()
		require.Equal(t, int64(1), s.one("SELECT count(*) FROM inbox i JOIN users u ON u.id = i.user_id WHERE u.username = 'cid' AND i.notice = ?1", string(inbox.ReportKept)))
		require.Contains(t, dan.page("/inbox"), "What you have reported may stay")
	})
	t.Run("a report that comes before the earlier reporters are told", func(t *testing.T) {
		s.T = t
		twice := targets(ben.page(ben.mustPost("/submit", "community", "gophers", "title", "Twice reported", "text", "text")))[0]
		cid.mustPost("/report", "target", twice, "reason", "Spam")
		ann.mustPost(queue, "one", "approve "+twice)
		s.queue.take("plaza-events") // its messages are lost
		dan.mustPost("/report", "target", twice, "reason", "Spam")
		s.pass(2 * time.Minute)
		about := func(who, notice string) int64 {
			return s.one("SELECT count(*) FROM inbox i JOIN users u ON u.id = i.user_id WHERE u.username = ?1 AND i.notice = ?2 AND i.about_id = ?3", who, notice, int64(mustID(t, twice))).(int64)
		}
		require.Equal(t, []int64{1, 0}, []int64{about("cid", "report-kept"), about("dan", "report-kept")})
		ann.mustPost(queue, "one", "remove "+twice+" Spam")
		s.pass(2 * time.Minute)
		require.Equal(t, []int64{1, 0}, []int64{about("cid", "report-kept"), about("cid", "report-removed")})
		require.Equal(t, []int64{0, 1}, []int64{about("dan", "report-kept"), about("dan", "report-removed")})
		require.Equal(t, int64(0), s.one("SELECT count(*) FROM report_outcomes"))
	})
	t.Run("a lost message, and one that comes twice", func(t *testing.T) {
		s.T = t
		told := func() int64 { return s.one("SELECT count(*) FROM inbox WHERE notice = 'approve'").(int64) }
		before := told()
		ann.mustPost(decide, "target", post, "decision", "approve")
		s.queue.take("plaza-events")
		s.deliverAll()
		require.Equal(t, before, told())
		s.pass(2 * time.Minute)
		require.Equal(t, before+1, told())
		s.exec("INSERT INTO outbox (subject_id, work, queued_at, due_at) SELECT id, 'decided', 1, 0 FROM moderation_log WHERE action IN ('approve', 'remove')")
		s.pass(2 * time.Minute)
		require.Equal(t, before+1, told())
	})
	t.Run("what an administrator decides about a member reported is told", func(t *testing.T) {
		s.T = t
		rita := s.admin("rita")
		cid.mustPost("/report", "user", "ben", "reason", "Spam")
		rita.mustPost("/mod/queue", "one", "ignore "+data.ID(s.one("SELECT id FROM users WHERE username = 'ben'").(int64)).Text())
		s.deliverAll()
		require.Contains(t, cid.page("/inbox/moderation"), `href="/report?user=ben"`)
	})
	require.Equal(t, int64(0), s.one("SELECT count(*) FROM outbox WHERE work IN ('decided', 'reported')"))
}
