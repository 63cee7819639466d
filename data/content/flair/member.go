package flair

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"plaza/data"
	"plaza/data/events/modlog"
	"plaza/data/rights/bans"
	"plaza/data/rights/roles"
)

// MemberFlair is the flair of a member in a community.
type MemberFlair struct {
	Label        // without an id if it is a text of the member's own
	Fixed   bool // the member can't change it
	Offered bool // members can choose a flair there
}

// MayChoose reports whether the member can change the flair.
func (o *MemberFlair) MayChoose() bool { return !o.Fixed && (o.Offered || o.Text != "") }

const (
	offered = `coalesce(s.members = 'own' OR s.members = 'listed' AND EXISTS (SELECT 1 FROM flairs o
  WHERE o.community_id = s.community_id AND o.of_members = 1 AND o.restricted = 0), 0)`
	// A member can have a flair in a community that never defined any: from a moderator, or by an import. Unique index on name_key, primary
	// keys, index flairs_listed.
	memberFlair = `SELECT ` + offered + `, coalesce(m.fixed, 0), f.id, coalesce(f.colour, m.colour), coalesce(f.text, m.text)
FROM communities k LEFT JOIN flair_sets s ON s.community_id = k.id
  LEFT JOIN member_flairs m ON m.user_id = :member AND m.community_id = k.id
  LEFT JOIN flairs f ON f.id = m.flair_id AND f.community_id = m.community_id
WHERE k.name_key = :community`
)

func (o *MemberFlair) scan(row *data.Row) {
	o.Offered, o.Fixed, o.ID, o.Colour, o.Text = row.Bool(), row.Bool(), row.ID(), row.Text(), row.Text()
}

// FindMemberFlair reads a member's flair in a community along with a page. A visitor, whose id is 0, has none.
func (s *Store) FindMemberFlair(r *data.Read, community string, member data.ID) *MemberFlair {
	current := &MemberFlair{}
	if member != 0 && !data.IsProfile(community) {
		key := strings.ToLower(community)
		r.FindCachedAt(data.In(community), key+" "+member.Text(), memberFlair, data.Args{"community": key, "member": member}, current.scan)
	}
	return current
}

// Selection is a form's choice of a member's flair: one of the community's, a text, or no flair.
type Selection struct {
	ID     data.ID // -1 is an id that no flair has
	Text   string  // the member's own text, if ID is 0
	Colour string  // of the text, one of Colours; Choose always stores plain
}

func (c *Selection) validate() error {
	if c.Text = data.Line(c.Text); c.ID != 0 {
		c.Text = ""
	}
	if c.Text == "" {
		c.Colour = Colours[0]
	}
	c.Colour = cmp.Or(c.Colour, Colours[0])
	return data.AllMistakes(
		data.MistakeIf(utf8.RuneCountInString(c.Text) > MemberTextMax, "text", "Your own words have at most 32 characters."),
		data.MistakeIf(!slices.Contains(Colours, c.Colour), "colour", "Please choose one of the colours."))
}

const (
	// listed is the condition that :flair is one of the flairs of members in the community k, without its last parenthesis.
	listed = `EXISTS (SELECT 1 FROM flairs f WHERE f.id = :flair AND f.community_id = k.id AND f.of_members = 1`
	upsert = ` ON CONFLICT (user_id, community_id) DO UPDATE SET flair_id = excluded.flair_id, text = excluded.text, colour = excluded.colour,
  fixed = excluded.fixed`
	// Unique index on name_key, primary keys.
	deleteMemberFlair = `DELETE FROM member_flairs WHERE user_id = :actor AND community_id = ` + here + ` AND fixed = 0 AND ` +
		data.LiveSession
)

var (
	// Unique index on name_key, primary keys, unique index of bans.
	chooseMemberFlair = `INSERT INTO member_flairs (user_id, community_id, flair_id, text, colour, fixed)
SELECT :actor, k.id, nullif(:flair, 0), :text, :colour, 0 FROM communities k JOIN flair_sets s ON s.community_id = k.id
WHERE k.name_key = :community AND iif(:flair = 0, s.members = 'own', s.members <> 'given' AND ` + listed + ` AND f.restricted = 0))
  AND NOT ` + bans.BannedOrMuted("k.id") + ` AND ` + data.LiveSession + upsert + ` WHERE member_flairs.fixed = 0`
	memberBan = `SELECT ` + bans.Mine(here) + `, ` + data.LiveSession
)

// Choose stores the flair that the actor has chosen in a community. Invalid (members can't choose it, or moderators have fixed the present
// one), Forbidden (banned or muted there), NotFound (a profile; an unknown community only with several shards), Unauthenticated.
func (s *Store) Choose(ctx context.Context, a data.Actor, community string, c Selection) error {
	if err := c.validate(); err != nil {
		return err
	}
	if data.IsProfile(community) {
		return data.ErrNoCommunity
	}
	w := s.DB.WriteAt(data.In(community))
	key := strings.ToLower(community)
	var changed *data.Change
	if c.ID == 0 && c.Text == "" {
		changed = w.Do(deleteMemberFlair, a.Args(data.Args{"community": key}))
	} else {
		changed = w.Do(chooseMemberFlair, a.Args(data.Args{"community": key, "flair": c.ID, "text": c.Text, "colour": Colours[0],
			"now": s.Source.DatabaseNow()}))
	}
	var current MemberFlair
	var ban bans.Ban
	live := false
	w.Find(memberFlair, data.Args{"community": key, "member": a.UserID}, current.scan)
	w.Find(memberBan, a.Args(data.Args{"community": key, "now": s.Source.DatabaseNow()}), func(row *data.Row) {
		ban.Scan(row)
		live = row.Bool()
	})
	if err := w.Run(ctx); err != nil {
		return err
	}
	switch {
	case !live:
		return data.ErrSessionEnded
	case changed.Rows > 0 || current.ID == c.ID && current.Text == c.Text || c.ID == 0 && c.Text == "" && current.Text == "":
		return nil
	case current.Fixed:
		return data.Mistake("flair", "The moderators have given you this flair. Only they can change it.")
	case ban.Kind != "":
		return ban.Err()
	}
	return data.Mistake("flair", "This flair can't be chosen here. Please choose another one.")
}

// Assignment is the flair that a moderator gives a member.
type Assignment struct {
	Community string
	Member    data.ID
	Selection
	Fixed bool // the member can't change it
}

const memberExists = `SELECT u.id FROM users u WHERE u.id = :member AND u.username <> ''`

var (
	// The entry is added only if the gift is allowed and changes something. giveMember must follow it. Unique index on name_key, primary
	// keys.
	logGift = modlog.Insert(modlog.Values{ID: ":entry", Community: "k.id", Action: "'" + string(modlog.MemberFlair) + "'",
		Target: ":member", Author: ":member", Rule: `coalesce((SELECT f.text FROM flairs f WHERE f.id = :flair), :text)`},
		`FROM communities k LEFT JOIN member_flairs m ON m.user_id = :member AND m.community_id = k.id
WHERE k.name_key = :community AND k.kind = 'community' AND (:flair = 0 OR `+listed+`))
  AND (coalesce(m.flair_id, 0), coalesce(m.text, ''), coalesce(m.colour, 'plain'), coalesce(m.fixed, 0)) <>
    (:flair, :text, :colour, :fixed) AND `+roles.ByApprover+` AND `+data.LiveSession)
	// changes() is 1 if logGift has added its entry. It is 0 when the same transaction is sent again, so nothing is written twice.
	giveMember = `INSERT INTO member_flairs (user_id, community_id, flair_id, text, colour, fixed)
SELECT :member, ` + here + `, nullif(:flair, 0), :text, :colour, :fixed WHERE changes() > 0` + upsert
	// Deletes a row without a flair, unless it keeps the member from choosing one (fixed).
	dropEmpty = `DELETE FROM member_flairs WHERE user_id = :member AND community_id = ` + here + ` AND flair_id IS NULL AND text = ''
  AND fixed = 0`
)

// GiveMember lets a moderator or an approver set a member's flair: one of the community's flairs of members, a text, or none. It adds a
// modlog entry. A repetition changes nothing. Invalid (no such flair), NotFound (no such member), Forbidden, Unauthenticated.
func (s *Store) GiveMember(ctx context.Context, a data.Actor, g Assignment) error {
	mistake := g.validate()
	if data.IsProfile(g.Community) {
		mistake = data.ErrNoCommunity
	}
	exists := false
	authority, err := roles.Authorize(ctx, s.DB, a, g.Community, roles.Approver, mistake, func(w *data.Write) {
		w.Find(memberExists, data.Args{"member": g.Member}, func(*data.Row) { exists = true })
	})
	if err != nil {
		return err
	}
	if !exists {
		return &data.Error{Code: data.NotFound, Message: "There is no such member. The account may have been deleted."}
	}
	args := data.Args{"community": strings.ToLower(g.Community), "member": g.Member}
	w := s.DB.WriteAt(authority.Home)
	w.ChangeListings()
	w.Do(logGift, authority.Args(data.Args{"entry": s.Source.NewID(authority.Slot, data.KindOther), "member": g.Member,
		"flair": g.ID, "text": g.Text, "colour": g.Colour, "fixed": g.Fixed, "name": a.Name}))
	w.Do(giveMember, data.Args{"community": args["community"], "member": g.Member, "flair": g.ID, "text": g.Text, "colour": g.Colour,
		"fixed": g.Fixed})
	var current MemberFlair
	w.Find(memberFlair, args, current.scan)
	w.Do(dropEmpty, args)
	approver := authority.Check(w)
	if err := w.Run(ctx); err != nil {
		return err
	}
	switch {
	case approver.Err() != nil:
		return approver.Err()
	case current.ID != g.ID || g.ID == 0 && current.Text != g.Text || current.Fixed != g.Fixed:
		return data.Mistake("flair", "This community has no such flair any more. Please choose another one.")
	}
	return nil
}
