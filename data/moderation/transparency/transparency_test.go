package transparency_test

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/events/modlog"
	"plaza/data/moderation/legalnotices"
	"plaza/data/moderation/modmail"
	"plaza/data/moderation/reports"
	"plaza/data/moderation/transparency"
	"plaza/test/storetest"
)

func TestNumbersStayWhenRowsGo(t *testing.T) {
	s := storetest.Open(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	s.Community(ann, "Gophers")
	p, q := s.Post(ben, "gophers", "A post"), s.Post(ben, "gophers", "Another")
	read := func(half transparency.Half, most int64) *transparency.Numbers {
		t.Helper()
		ctx, meter := s.Metered()
		r := s.DB.Read()
		n := transparency.Find(r, s.DB, half)
		require.NoError(t, r.Run(ctx))
		require.LessOrEqual(t, meter.RowsRead(), most)
		return n
	}
	half := transparency.HalfOf(*s.Clock)
	require.Equal(t, transparency.Half(20262), half)
	add := func(a data.Actor, community string, action modlog.Action, target data.ID, rule string) {
		t.Helper()
		where := data.In("")
		if community != "" {
			where = data.At(p.ID)
		}
		w := s.DB.WriteAt(where)
		e := modlog.NewEntry{ID: s.Posts.Source.NewID(p.ID.Slot(), data.KindOther), Community: community, Action: action, Target: target, Rule: rule}
		for range 2 { // like a transaction whose response was lost
			modlog.Add(w, a, e, "true", nil)
		}
		require.NoError(t, w.Run(storetest.Ctx))
	}
	at := *s.Clock
	report := `INSERT INTO reports (target_id, reporter_id, community_id, reason, text, created_at, weight) VALUES (?1, ?2, ?3, 'Spam', '', ?4, 1)`
	s.ExecAt(p.ID, report, int64(p.ID), int64(ann.UserID), s.CommunityID("gophers"), at.UnixMilli())
	add(ann, "Gophers", modlog.Remove, p.ID, "Spam")
	add(ann, "Gophers", modlog.Approve, p.ID, "")
	s.ExecAt(p.ID, report, int64(p.ID), int64(-7), s.CommunityID("gophers"), at.UnixMilli())
	add(ann, "Gophers", modlog.Remove, p.ID, "Illegal content")
	add(ann, "Gophers", modlog.Remove, q.ID, "Spam")
	add(data.Actor{}, "Gophers", modlog.Remove, q.ID, "Spam")
	add(ann, "", modlog.Suspend, ben.UserID, "Breaks the law")

	mail := &modmail.Store{Base: data.Base{DB: s.DB, Source: s.Posts.Source}}
	queue := &reports.Store{Base: data.Base{DB: s.DB, Source: s.Posts.Source}}
	senders := &legalnotices.Store{Base: data.Base{DB: s.DB, Source: s.Posts.Source}}
	twice := func(do func() error) {
		t.Helper()
		for range 2 {
			require.NoError(t, do())
		}
	}
	decide := func(action modlog.Action, targets ...data.ID) {
		t.Helper()
		twice(func() error {
			_, err := queue.Decide(storetest.Ctx, ann, "gophers", reports.Decision{Targets: targets, Act: modlog.Act{Action: action, Rule: "Spam"}})
			return err
		})
	}
	var sent []data.ID
	each := func(do func(id data.ID) error) {
		t.Helper()
		for _, id := range sent {
			twice(func() error { return do(id) })
		}
	}
	for _, target := range []data.ID{p.ID, q.ID} {
		n, err := senders.Send(storetest.Ctx, legalnotices.Notice{Kind: "rights", Text: "Mine.", Name: "Eve", Email: "eve@example.com"},
			legalnotices.Place{ID: target}, "", "network")
		require.NoError(t, err)
		sent = append(sent, n.ID)
	}
	each(func(id data.ID) error { return senders.Confirm(storetest.Ctx, id) })
	finish := func() { twice(func() error { return senders.FinishDecided(storetest.Ctx) }) }
	entry := data.ID(s.RowsOfAll("SELECT id FROM moderation_log WHERE action = 'suspend'")[0][0].(int64))
	appeal, err := mail.Begin(storetest.Ctx, ben, modmail.NewConversation{Subject: "Why?", Text: "I have read the rules.", Decision: entry})
	require.NoError(t, err)
	*s.Clock = at.Add(3 * time.Hour)
	decide(modlog.Approve, p.ID, q.ID)
	*s.Clock = at.Add(25 * time.Hour)
	finish()
	s.Exec("UPDATE users SET admin = 1 WHERE id = ?1", int64(ann.UserID))
	_, err = mail.DecideAppeal(storetest.Ctx, ann, appeal, modmail.AppealDecision{Verdict: modmail.Upheld})
	require.NoError(t, err)
	*s.Clock = at.Add(26 * time.Hour)
	each(func(id data.ID) error { return senders.Object(storetest.Ctx, id, "Still mine.") })
	*s.Clock = at.Add(29 * time.Hour)
	decide(reports.Ignore, q.ID)
	finish()
	recount := func() { twice(func() error { return transparency.Recount(storetest.Ctx, s.DB, s.Posts.Source) }) }
	recount()
	*s.Clock = at.Add(60 * 24 * time.Hour)
	decide(modlog.Remove, p.ID)
	finish()
	recount()

	n := read(half, 60)
	want := []transparency.Count{
		{"appeal", "", "", "", 0, 1, 0}, {"appeal", "upheld", "", "", 48, 1, 0},
		{"decision", "approve", "", "report", 0, 1, 0},
		{"decision", "remove", "Illegal content", "notice", 0, 1, 0},
		{"decision", "remove", "rule", "person", 0, 1, 0},
		{"decision", "remove", "rule", "report", 0, 1, 1},
		{"decision", "remove", "rule", "rule", 0, 1, 0},
		{"decision", "suspend", "Breaks the law", "person", 0, 1, 0},
		{"notice", "", "rights", "", 0, 2, 0}, {"notice", "approve", "rights", "", 48, 2, 0},
		{"objection", "", "rights", "", 0, 2, 0}, {"objection", "ignore", "rights", "", 4, 1, 0},
		{"queue", "approve", "", "report", 4, 2, 0}, {"queue", "ignore", "", "report", 4, 1, 0}}
	require.Equal(t, want, n.Counts, "one objection was decided in the next half-year, the other three hours after it was made")
	require.Equal(t, transparency.Half(20271), n.Later)
	require.Zero(t, n.Earlier)
	require.Equal(t, []transparency.Count{{"decision", "remove", "rule", "notice", 0, 1, 0},
		{"objection", "remove", "rights", "", transparency.Longer, 1, 0},
		{"queue", "remove", "", "report", transparency.Longer, 1, 0}}, read(20271, 60).Counts)
	isQueue := func(c transparency.Count) bool { return c.What == transparency.Queue }
	require.Equal(t, int64(4), n.Median(isQueue))
	require.Zero(t, read(20251, 60).Median(isQueue))

	s.Exec("DELETE FROM legal_notices")
	s.Exec("DELETE FROM reports")
	s.Exec("DELETE FROM queue_items")
	recount()
	require.Equal(t, want, read(half, 60).Counts)

	add(ann, "", modlog.Restore, ben.UserID, "")
	recount()
	want[7].Undone = 1
	require.Equal(t, want, read(half, 60).Counts, "a decision of the half-year before is taken back")

	s.Exec(`INSERT INTO moderation_log (id, community_id, action, target_id, actor_id, actor_name)
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) SELECT ?1 + (1 << 30) + i * 2, 0, 'restore', i, ?2, 'ann'
  FROM n`, int64(data.NewID(*s.Clock, 0, data.KindOther, 0)), int64(ann.UserID))
	recount()
	n = read(20271, 60)
	require.Len(t, n.Counts, 4, "of many, as few rows are read")
	all, _ := n.Sum(func(c transparency.Count) bool { return c.Kind == "restore" })
	require.Equal(t, int64(5001), all)
}

func TestHalves(t *testing.T) {
	for text, half := range map[string]transparency.Half{"2026-2": 20262, "2027-1": 20271} {
		h, err := transparency.ParseHalf(text)
		require.NoError(t, err)
		require.Equal(t, half, h)
		require.Equal(t, text, h.String())
	}
	for _, wrong := range []string{"", "2026", "2026-3", "2026-02", "x", "-026-1", "2026-1x"} {
		_, err := transparency.ParseHalf(wrong)
		require.Equal(t, data.Invalid, data.ErrorCode(err), wrong)
	}
	for day, half := range map[string]transparency.Half{"2026-06-30": 20261, "2026-07-01": 20262, "2026-12-31": 20262} {
		at, err := time.Parse(time.DateOnly, day)
		require.NoError(t, err)
		require.Equal(t, half, transparency.HalfOf(at), day)
	}
}

// TestRowsOfALargeSite measures the rows that the page reads for a half-year with 100,000 entries of the log, with every kind of
// decision, ground and origin. PLAZA_SLOW runs it.
func TestRowsOfALargeSite(t *testing.T) {
	if os.Getenv("PLAZA_SLOW") == "" {
		t.Skip("PLAZA_SLOW=1 runs it, for half a minute")
	}
	s := storetest.Open(t)
	half := transparency.HalfOf(*s.Clock)
	const entries = 100_000
	for _, kind := range []string{"approve", "remove", "erase", "ban", "unban", "mute", "unmute", "lock", "unlock", "pin", "unpin", "title",
		"suspend", "ban-site", "restore", "member-flair"} {
		s.Exec(`INSERT INTO moderation_log (id, community_id, action, target_id, actor_id, actor_name, rule)
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
SELECT ?2 + (i << 4) + (abs(random()) % 8), i % 3, ?3, abs(random() % 1000000000) * 2, i % 5, 'ann', CASE i % 8 WHEN 0 THEN '' WHEN 1 THEN 'Breaks the law'
  WHEN 2 THEN 'Sexual content with minors' WHEN 3 THEN 'Illegal content' WHEN 4 THEN 'Personal data' WHEN 5 THEN 'Rights of others'
  WHEN 6 THEN 'Order of an authority' ELSE 'Spam' END FROM n`, int64(entries/16), int64(s.Posts.Source.NewID(0, data.KindOther)), kind)
	}
	require.Equal(t, int64(entries), s.One("SELECT count(*) FROM moderation_log"))
	ctx, meter := s.Metered()
	began := time.Now()
	require.NoError(t, transparency.Recount(ctx, s.DB, s.Posts.Source))
	t.Logf("counted anew: %d rows read, %d written, %v", meter.RowsRead(), meter.RowsWritten(), time.Since(began))
	ctx, meter = s.Metered()
	r := s.DB.Read()
	n := transparency.Find(r, s.DB, half)
	require.NoError(t, r.Run(ctx))
	all, _ := n.Sum(func(transparency.Count) bool { return true })
	require.Equal(t, int64(entries), all)
	t.Logf("%d entries: %d rows read for %d counts", entries, meter.RowsRead(), len(n.Counts))
	require.LessOrEqual(t, meter.RowsRead(), int64(600))
}
