package flair

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"plaza/data"
	"plaza/data/events/modlog"
	"plaza/data/rights/roles"
)

// Store keeps flairs.
type Store struct{ data.Base }

const (
	here = `(SELECT k.id FROM communities k WHERE k.name_key = :community)`
	// Unique index on name_key, primary key, index flairs_listed in its order.
	flairSet  = setOf + `0` + ofSet + here + inOrder
	memberSet = setOf + `1` + ofSet + here + inOrder
	// Primary keys, index flairs_listed in its order.
	flairSetAt = setOf + `0` + ofSet + `(SELECT p.community_id FROM posts p WHERE p.id = :post)` + inOrder

	setOf = `SELECT s.revision, s.required, s.members, f.id, f.text, f.colour, f.restricted FROM flair_sets s
  LEFT JOIN flairs f ON f.community_id = s.community_id AND f.of_members = `
	ofSet   = ` WHERE s.community_id = `
	inOrder = ` ORDER BY f.place, f.id`
)

// Find reads the flairs of a community's posts along with a page.
func (s *Store) Find(r *data.Read, community string) *Set {
	return s.find(r, community, flairSet, &Set{})
}

// FindOfMembers reads the flairs of a community's members along with a page.
func (s *Store) FindOfMembers(r *data.Read, community string) *Set {
	return s.find(r, community, memberSet, &Set{OfMembers: true, Choose: ChooseListed})
}

func (s *Store) find(r *data.Read, community, statement string, set *Set) *Set {
	if !data.IsProfile(community) {
		r.FindAt(data.In(community), statement, data.Args{"community": strings.ToLower(community)}, set.scan)
	}
	return set
}

// FindAt reads the flairs of posts in the community of a post along with a page.
func (s *Store) FindAt(r *data.Read, post data.ID) *Set {
	set := &Set{}
	r.FindAt(post, flairSetAt, data.Args{"post": post}, set.scan)
	return set
}

func (s *Set) scan(row *data.Row) {
	revision, required, choose := row.Int(), row.Bool(), Choice(row.Text())
	if s.Revision = revision; s.OfMembers {
		s.Choose = choose
	} else {
		s.Required = required
	}
	if f := (Flair{Label: Label{ID: row.ID(), Text: row.Text(), Colour: row.Text()}, Restricted: row.Bool()}); f.ID != 0 {
		s.Flairs = append(s.Flairs, f)
	}
}

const (
	// The stored flairs have the form's revision, and the actor may change them. Unique index on name_key, primary keys.
	unchanged = `EXISTS (SELECT 1 FROM communities k LEFT JOIN flair_sets s ON s.community_id = k.id
  WHERE k.name_key = :community AND k.kind = 'community' AND coalesce(:from, s.revision, 0) = coalesce(s.revision, 0)
    AND NOT EXISTS (SELECT 1 FROM json_each(:list) j JOIN flairs x ON x.id = j.value ->> 0 WHERE x.community_id <> k.id)) AND ` +
		roles.ByModerator
	mayUpdate = unchanged + ` AND ` + data.LiveSession
	// :list has for each flair its id, text, colour and whether it is restricted. Index flairs_listed.
	deleteFlairs = `DELETE FROM flairs WHERE community_id = ` + here + ` AND of_members = :of_members
  AND id NOT IN (SELECT j.value ->> 0 FROM json_each(:list) j) AND ` + mayUpdate
	saveFlairs = `INSERT INTO flairs (id, community_id, place, text, colour, restricted, of_members)
SELECT j.value ->> 0, ` + here + `, j.key, j.value ->> 1, j.value ->> 2, j.value ->> 3, :of_members FROM json_each(:list) j
WHERE ` + mayUpdate + `
ON CONFLICT (id) DO UPDATE SET place = excluded.place, text = excluded.text, colour = excluded.colour, restricted = excluded.restricted
WHERE community_id = excluded.community_id AND of_members = excluded.of_members`
	// It must run last: it writes a new revision, after which mayUpdate is false.
	saveFlairSet = `INSERT INTO flair_sets (community_id, revision, required, members)
SELECT ` + here + `, :next, coalesce(:required, 0), coalesce(:choose, 'listed') WHERE ` + mayUpdate + `
ON CONFLICT (community_id) DO UPDATE SET revision = max(excluded.revision, revision + 1), required = coalesce(:required, required),
  members = coalesce(:choose, members)`
)

// Update replaces the flairs of a community's posts or members, in one transaction on its shard. Posts and members with a removed flair
// show none. It returns the revision that is stored now, also with Conflict, which means that another user has changed the flairs since
// u.Revision. Invalid, NotFound, Forbidden (not a moderator) and Unauthenticated.
func (s *Store) Update(ctx context.Context, a data.Actor, community string, u Update) (revision int64, err error) {
	set, mistake := u.Set()
	authority, err := s.authorize(ctx, a, community, roles.Moderator, mistake)
	if err != nil {
		return u.Revision, err
	}
	list := make([][4]any, len(set.Flairs))
	for i, f := range set.Flairs {
		list[i] = [4]any{int64(f.ID), f.Text, f.Colour, f.Restricted}
	}
	text, _ := json.Marshal(list)  // encoding texts and numbers can't fail
	var from, required, choose any // NULL keeps the stored value
	if !u.Force {
		from = u.Revision
	}
	statement, now := flairSet, &Set{OfMembers: u.OfMembers}
	if u.OfMembers {
		statement, choose = memberSet, string(u.Choose)
	} else {
		required = u.Required
	}
	with := func(more data.Args) data.Args {
		more["from"], more["list"] = from, string(text)
		return authority.Args(more)
	}
	next := max(u.Revision+1, s.Source.Now().UnixMilli())
	w := s.DB.WriteAt(authority.Home)
	w.ChangeListings()
	modlog.Add(w, a, modlog.NewEntry{ID: s.Source.NewID(authority.Slot, data.KindOther), Community: community,
		Action: modlog.Settings},
		unchanged, with(data.Args{}))
	w.Do(deleteFlairs, with(data.Args{"of_members": u.OfMembers}))
	w.Do(saveFlairs, with(data.Args{"of_members": u.OfMembers}))
	w.Do(saveFlairSet, with(data.Args{"next": next, "required": required, "choose": choose}))
	w.Find(statement, data.Args{"community": strings.ToLower(community)}, now.scan)
	moderator := authority.Check(w)
	if err := w.Run(ctx); err != nil {
		return u.Revision, err
	}
	if err := moderator.Err(); err != nil {
		return u.Revision, err
	}
	if now.Required != set.Required || now.Choose != set.Choose || !sameFlairs(now.Flairs, set.Flairs) {
		return now.Revision, &data.Error{Code: data.Conflict, Message: "Somebody else changed the flairs in the meantime. Below is what you " +
			"wrote; saving it once more replaces theirs."}
	}
	return now.Revision, nil
}

// sameFlairs reports whether the stored flairs equal the form's. If a form is sent again because the first response was lost, its new
// flairs have other ids. That must not count as a change by another user.
func sameFlairs(stored, wanted []Flair) bool {
	return slices.EqualFunc(stored, wanted, func(is, want Flair) bool {
		if !slices.ContainsFunc(stored, func(f Flair) bool { return f.ID == want.ID }) {
			want.ID = is.ID
		}
		return is == want
	})
}

// authorize is roles.Authorize, but excludes profiles, whose posts have no flairs.
func (s *Store) authorize(ctx context.Context, a data.Actor, community string, role roles.Role,
	mistake error) (*roles.Authority, error) {
	if data.IsProfile(community) {
		mistake = cmp.Or(mistake, error(data.ErrNoCommunity))
	}
	return roles.Authorize(ctx, s.DB, a, community, role, mistake)
}
