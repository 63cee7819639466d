package communities_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/communities"
	"plaza/data/events/modlog"
	"plaza/data/rights/roles"
	"plaza/test/storetest"
)

func TestTeam(t *testing.T) {
	s := storetest.Open(t)
	ann, ben, cat, dan, eve := s.Member("ann"), s.Member("ben"), s.Member("cat"), s.Member("dan"), s.Member("eve")
	s.Community(ann, "Gophers")
	ctx, c := storetest.Ctx, s.Communities
	team := func() (list []string) {
		t.Helper()
		r := s.DB.Read()
		found := c.FindTeam(r, "gophers", ann.UserID)
		require.NoError(t, r.Run(ctx))
		for _, m := range found.Members {
			list = append(list, m.Name+" "+string(m.Role))
		}
		for _, m := range found.Invited {
			list = append(list, m.Name+" invited as "+string(m.Role))
		}
		return list
	}
	log := func() (list []string) {
		t.Helper()
		r := s.DB.Read()
		lines := modlog.Find(r, "gophers", 0, 20)
		require.NoError(t, r.Run(ctx))
		for _, l := range lines.Items() {
			list = append(list, l.Actor+" "+string(l.Action)+" "+l.Member)
		}
		return list
	}
	admin := func(name string) data.Actor {
		t.Helper()
		a := s.Member(name)
		require.NoError(t, s.Accounts.SetAdmin(ctx, name, true))
		return a
	}
	code := func(want data.Code, err error) {
		t.Helper()
		require.Equal(t, want, data.ErrorCode(err), "%v", err)
	}

	t.Run("the owner invites, and who accepts has the role", func(t *testing.T) {
		require.NoError(t, c.Invite(ctx, ann, "Gophers", "Ben", roles.Moderator))
		require.NoError(t, c.Invite(ctx, ann, "gophers", "cat", roles.Moderator))
		require.NoError(t, c.Invite(ctx, ann, "gophers", "cat", roles.Approver), "another role than before")
		require.Equal(t, []string{"ann owner", "ben invited as moderator", "cat invited as approver"}, team())
		r := s.DB.Read()
		current := c.FindInvitations(r, ben.UserID)
		require.NoError(t, r.Run(ctx))
		require.Equal(t, []communities.Invitation{{Community: "Gophers", Role: roles.Moderator, By: "ann"}}, *current)
		code(data.NotFound, c.Accept(ctx, cat, "gophers", roles.Moderator)) // which was withdrawn
		for range 2 {                                                       // as when the response is lost
			require.NoError(t, c.Accept(ctx, ben, "gophers", roles.Moderator))
			require.NoError(t, c.Accept(ctx, cat, "GOPHERS", roles.Approver))
		}
		code(data.NotFound, c.Accept(ctx, dan, "gophers", roles.Moderator))
		require.Equal(t, []string{"ann owner", "ben moderator", "cat approver"}, team())
		require.Equal(t, []string{"cat approver cat", "ben moderator ben"}, log())
	})
	t.Run("nobody else invites, and nobody is invited who can't be", func(t *testing.T) {
		for _, a := range []data.Actor{ben, cat, dan} {
			code(data.Forbidden, c.Invite(ctx, a, "gophers", "dan", roles.Approver))
		}
		code(data.Invalid, c.Invite(ctx, ann, "gophers", "nobody", roles.Approver))
		code(data.Invalid, c.Invite(ctx, ann, "gophers", "dan", "king"))
		code(data.Invalid, c.Invite(ctx, ann, "gophers", "dan", roles.Owner))
		code(data.Invalid, c.Invite(ctx, ann, "gophers", "ben", roles.Approver))
		code(data.NotFound, c.Invite(ctx, admin("vera"), "nowhere", "dan", roles.Approver))
		require.NoError(t, s.Accounts.Block(ctx, dan, "ann", true))
		code(data.Invalid, c.Invite(ctx, ann, "gophers", "dan", roles.Approver))
		require.NoError(t, s.Accounts.Block(ctx, dan, "ann", false))
		require.Equal(t, []string{"ann owner", "ben moderator", "cat approver"}, team())
	})
	t.Run("an invitation can be declined and withdrawn", func(t *testing.T) {
		require.NoError(t, c.Invite(ctx, ann, "gophers", "dan", roles.Approver))
		code(data.Forbidden, c.Withdraw(ctx, ben, "gophers", "dan"))
		require.NoError(t, c.Decline(ctx, dan, "gophers"))
		require.NoError(t, c.Invite(ctx, ann, "gophers", "dan", roles.Approver))
		require.NoError(t, c.Withdraw(ctx, ann, "gophers", "DAN"))
		code(data.NotFound, c.Accept(ctx, dan, "gophers", roles.Approver))
		require.Equal(t, []string{"ann owner", "ben moderator", "cat approver"}, team())
	})
	t.Run("the owner changes roles", func(t *testing.T) {
		code(data.Forbidden, c.SetRole(ctx, ben, "gophers", "cat", roles.Moderator))
		code(data.Forbidden, c.SetRole(ctx, ben, "gophers", "ben", roles.Owner))
		code(data.Conflict, c.SetRole(ctx, ann, "gophers", "ann", roles.Moderator))
		code(data.NotFound, c.SetRole(ctx, ann, "gophers", "dan", roles.Moderator))
		code(data.Invalid, c.SetRole(ctx, ann, "gophers", "cat", "king"))
		for range 2 {
			require.NoError(t, c.SetRole(ctx, ann, "gophers", "cat", roles.Moderator))
		}
		require.Equal(t, []string{"ann owner", "ben moderator", "cat moderator"}, team())
		require.NoError(t, c.SetRole(ctx, ann, "gophers", "cat", roles.Approver))
	})
	t.Run("and hands the community over", func(t *testing.T) {
		code(data.Conflict, c.Resign(ctx, ann, "gophers"))
		for range 2 {
			require.NoError(t, c.SetRole(ctx, ann, "gophers", "ben", roles.Owner))
		}
		require.Equal(t, []string{"ben owner", "ann moderator", "cat approver"}, team())
		code(data.Forbidden, c.SetRole(ctx, ann, "gophers", "ann", roles.Owner))
	})
	t.Run("members go by themselves or are dismissed", func(t *testing.T) {
		code(data.Forbidden, c.Dismiss(ctx, ann, "gophers", "cat"))
		code(data.Conflict, c.Dismiss(ctx, ben, "gophers", "ben"))
		for range 2 {
			require.NoError(t, c.Dismiss(ctx, ben, "gophers", "cat"))
			require.NoError(t, c.Resign(ctx, ann, "gophers"))
		}
		require.Equal(t, []string{"ben owner"}, team())
		require.NoError(t, c.Resign(ctx, ben, "gophers"), "the last one")
		require.Empty(t, team())
		require.Equal(t, []string{"ben resign ben", "ann resign ann", "ben dismiss cat", "ann owner ben", "ann approver cat", "ann moderator cat",
			"cat approver cat", "ben moderator ben"}, log())
	})
	t.Run("administrators find a new owner", func(t *testing.T) {
		root := admin("rita")
		require.NoError(t, c.Invite(ctx, root, "gophers", "dan", roles.Owner))
		require.NoError(t, c.Accept(ctx, dan, "gophers", roles.Owner))
		require.Equal(t, []string{"dan owner"}, team())
		require.NoError(t, c.Invite(ctx, root, "gophers", "eve", roles.Owner))
		require.NoError(t, c.Accept(ctx, eve, "gophers", roles.Owner))
		require.Equal(t, []string{"eve owner", "dan moderator"}, team())
	})
	t.Run("when the owner's account is deleted, it is the moderator who has been there longest", func(t *testing.T) {
		require.NoError(t, c.Invite(ctx, eve, "gophers", "ann", roles.Approver))
		require.NoError(t, c.Accept(ctx, ann, "gophers", roles.Approver))
		s.Exec("DELETE FROM moderators WHERE username = 'eve'")
		require.Equal(t, []string{"dan owner", "ann approver"}, team())
		s.Exec("DELETE FROM moderators WHERE username = 'dan'")
		require.Equal(t, []string{"ann approver"}, team())
	})
	t.Run("a team has an end", func(t *testing.T) {
		for i := range communities.TeamMax {
			s.Exec(fmt.Sprintf("INSERT INTO moderators (community_id, user_id, username, created_at, role) VALUES (?1, %d, 'x', 1, 'approver') "+
				"ON CONFLICT DO NOTHING", i+1), s.CommunityID("gophers"))
		}
		code(data.Conflict, c.Invite(ctx, admin("rita2"), "gophers", "ben", roles.Approver))
	})
}
