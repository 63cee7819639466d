package suspensions_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/accounts/suspensions"
	"plaza/data/events/modlog"
	"plaza/test/storetest"
)

// TestBranch decides about 500 members whom one member invited, directly or through others.
func TestBranch(t *testing.T) {
	s := storetest.Open(t)
	ann, eve := s.Member("ann"), s.Member("eve")
	boss := s.Member("boss")
	for _, name := range []string{"ann", "eve"} {
		require.NoError(t, s.Accounts.SetAdmin(storetest.Ctx, name, true))
	}
	s.Exec(`INSERT INTO invites (id, code, user_id, uses, expires_at)
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 20) SELECT 10 + i, i, iif(i = 0, ?1, 1000 + i), 25, 1 FROM n`,
		int64(boss.UserID))
	s.Exec(`INSERT INTO users (id, username, username_key, password_hash, status, admin, created_at, invite_id)
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
SELECT 1000 + i, iif(i = 500, '', 'm' || i), 'm' || i, '', iif(i = 100, 'banned', 'active'), i = 3, 1, iif(i <= 20, 10, 11 + i % 20)
  FROM n`)
	rules := []string{"Spam"}
	decide := func(a data.Actor, action modlog.Action) (data.ID, int) {
		t.Helper()
		id, about, err := s.Suspensions.DecideInviteTree(storetest.Ctx, a,
			suspensions.Sanction{Name: "Boss", Act: modlog.Act{Action: action, Rule: "Spam", Note: "All of you.", Days: 7}}, rules)
		require.NoError(t, err)
		return id, about
	}
	carryOut := func(id data.ID) (deliveries int) {
		t.Helper()
		for rest := []data.ID{id}; len(rest) > 0; deliveries++ {
			var err error
			rest, err = s.Suspensions.CarryOut(storetest.Ctx, rest)
			require.NoError(t, err)
		}
		return deliveries
	}
	with := func(status string) int {
		return len(s.Rows("SELECT 1 FROM users WHERE status = ?1 AND invite_id IS NOT NULL", status))
	}
	entries := func(action string) int {
		return len(s.Rows("SELECT 1 FROM moderation_log WHERE action = ?1 AND actor_name = 'ann'", action))
	}
	void := func() int {
		return len(s.RowsOfAll("SELECT 1 FROM revocations WHERE subject BETWEEN 1001 AND 1500 AND before > ?1", s.Clock.UnixMilli()))
	}

	r := s.DB.Read()
	size := s.Suspensions.FindInviteTreeSize(r, "boss")
	require.NoError(t, r.Run(storetest.Ctx))
	require.Equal(t, suspensions.InviteTree{Active: 498, Banned: 1, Administrators: 1}, *size)

	_, _, err := s.Suspensions.DecideInviteTree(storetest.Ctx, boss,
		suspensions.Sanction{Name: "boss", Act: modlog.Act{Action: modlog.Suspend, Rule: "Spam"}}, rules)
	require.Equal(t, data.Forbidden, data.ErrorCode(err))
	_, _, err = s.Suspensions.DecideInviteTree(storetest.Ctx, ann, suspensions.Sanction{Name: "boss", Act: modlog.Act{Action: modlog.Suspend}}, rules)
	require.Equal(t, data.Invalid, data.ErrorCode(err))
	_, _, err = s.Suspensions.DecideInviteTree(storetest.Ctx, ann,
		suspensions.Sanction{Name: "nobody", Act: modlog.Act{Action: modlog.Suspend, Rule: "Spam"}}, rules)
	require.Equal(t, data.NotFound, data.ErrorCode(err))
	require.Empty(t, s.Rows("SELECT 1 FROM branch_decisions"))

	// Neither the administrator, nor banned or deleted members.
	id, about := decide(ann, modlog.Suspend)
	require.Equal(t, 497, about)
	ctx, meter := s.Metered()
	rest, err := s.Suspensions.CarryOut(ctx, []data.ID{id})
	require.NoError(t, err)
	require.Equal(t, []data.ID{id}, rest)
	require.Len(t, s.RowsOfAll("SELECT 1 FROM outbox WHERE job = 'decided'"), 200)
	require.Len(t, s.Asked("decided"), 200)
	require.LessOrEqual(t, meter.Requests(), int64(50), "of a delivery")
	t.Logf("a delivery: %d requests, %d rows read, %d written", meter.Requests(), meter.RowsRead(), meter.RowsWritten())
	require.Equal(t, 200, with("suspended"))
	r = s.DB.Read()
	underWay := s.Suspensions.FindUnderWay(r)
	require.NoError(t, r.Run(storetest.Ctx))
	require.Len(t, *underWay, 1)
	require.Equal(t, []any{"boss", modlog.Suspend, "ann", 297}, []any{(*underWay)[0].Name, (*underWay)[0].Action, (*underWay)[0].By,
		(*underWay)[0].Remaining})

	// A decision of another administrator about one of them in between stays.
	_, err = s.Suspensions.Decide(storetest.Ctx, eve, suspensions.Sanction{Name: "m499", Act: modlog.Act{Action: modlog.BanSite, Rule: "Spam"}}, rules)
	require.NoError(t, err)
	require.Equal(t, 2, carryOut(id))
	require.Equal(t, []int{2, 496, 2, 496}, []int{with("active"), with("suspended"), with("banned"), entries("suspend")})
	require.Equal(t, 497*len(s.All()), void(), "in every database")
	require.Equal(t, "active", s.One("SELECT status FROM users WHERE id = ?1", int64(boss.UserID)))
	require.Empty(t, s.Rows("SELECT 1 FROM branch_decisions UNION ALL SELECT 1 FROM branch_members"))
	require.Empty(t, s.RowsOfAll("SELECT 1 FROM outbox WHERE job IN ('revoke-sessions', 'invite-tree')"))
	require.Equal(t, 1, carryOut(id), "a message that comes again")
	_, about = decide(ann, modlog.Suspend)
	require.Zero(t, about, "nothing to change")

	// A decision ends if its administrator is no administrator any more.
	id, about = decide(ann, modlog.Restore)
	require.Equal(t, 498, about)
	_, err = s.Suspensions.CarryOut(storetest.Ctx, []data.ID{id})
	require.NoError(t, err)
	require.Equal(t, 298, with("suspended")+with("banned"))
	require.NoError(t, s.Accounts.SetAdmin(storetest.Ctx, "ann", false))
	carryOut(id)
	require.Equal(t, 298, with("suspended")+with("banned"))
	require.Empty(t, s.Rows("SELECT 1 FROM branch_decisions UNION ALL SELECT 1 FROM branch_members"))
	id, _ = decide(eve, modlog.Restore)
	carryOut(id)
	require.Zero(t, with("suspended")+with("banned"))
	require.Zero(t, void())
	require.Empty(t, s.Rows("SELECT 1 FROM moderation_log WHERE action = 'suspend' AND undone_by IS NULL"))

	// The list of all pages by invitation and member.
	seen := map[data.ID]bool{}
	for after := data.ID(0); ; {
		ctx, meter := s.Metered()
		r := s.DB.Read()
		list := s.Invitations.FindInvited(r, after, 101)
		require.NoError(t, r.Run(ctx))
		require.LessOrEqual(t, meter.RowsRead(), int64(4*101+2))
		for _, m := range (*list)[:min(len(*list), 100)] {
			require.False(t, seen[m.ID])
			seen[m.ID], after = true, m.ID
		}
		if len(*list) <= 100 {
			break
		}
	}
	require.Len(t, seen, 500)
}
