package communities

import (
	"context"
	"strings"
	"unicode/utf8"

	"plaza/data"
	"plaza/data/names"
	"plaza/data/searchwords"
	"plaza/locale"
)

// Limits of a community's fields, in characters.
const (
	TitleMax       = 100
	DescriptionMax = 500
)

// Create is the form for a new community.
type Create struct {
	Name, Title, Description string
	Token                    string // of the form; the same form makes one community
}

func (c *Create) validate() error {
	c.Name, c.Title, c.Description = strings.TrimSpace(c.Name), data.Line(c.Title), data.Plain(c.Description)
	if c.Title == "" {
		c.Title = c.Name
	}
	return data.AllMistakes(c.validateName(), validateAbout(c.Title, c.Description))
}

func (c *Create) validateName() error {
	if names.IsReservedCommunity(c.Name) {
		return &data.Error{Code: data.Conflict, Field: "name", Message: "That name is reserved. Please choose another."}
	}
	return data.MistakeIf(!names.Community.Is(c.Name), "name",
		"A community's name has 3 to 21 characters: letters and digits, with _ between them.")
}

func validateAbout(title, description string) error {
	return data.AllMistakes(
		data.MistakeIf(utf8.RuneCountInString(title) > TitleMax, "title", "A title has at most 100 characters."),
		data.MistakeIf(utf8.RuneCountInString(description) > DescriptionMax, "description", "A description has at most 500 characters."),
	)
}

var (
	// The condition that the actor may create communities: all members may, or only administrators, by the site's settings. An administrator
	// with an API token without AllRoles (data.Roles) counts as a member. Primary keys.
	byFounder = `(coalesce((SELECT s.body ->> 'founders' FROM site_settings s WHERE s.id = 1), '') <> 'administrators' OR :roles = 0 AND ` +
		data.ByAdmin + `)`
	isFounder = `SELECT ` + byFounder + `, ` + data.LiveSession

	createCommunity = `INSERT INTO communities (id, name, name_key, title, description, colour, creator_id, created_at, words,
  about_words)
SELECT :id, :name, :key, :title, :description, :colour, :actor, :at, :words, :about_words WHERE ` + byFounder +
		` AND ` + data.LiveSession + ` AND ` + data.KeyUnused
	createModerator = `INSERT INTO moderators (community_id, user_id, username, created_at, role)
SELECT id, :actor, ` + data.NameNow(":username") + `, :at, 'owner' FROM communities WHERE id = :id ON CONFLICT DO NOTHING`
	createSubscription = `INSERT INTO subscriptions (user_id, community_id, created_at)
SELECT :user, id, :at FROM communities WHERE id = :id ON CONFLICT DO NOTHING`
	createdCommunity = `SELECT c.name FROM idempotency_keys m JOIN communities c ON c.id = m.result_id WHERE ` + data.ByForm
)

// ErrFounders is returned to members if only administrators may create communities.
var ErrFounders = &data.Error{Code: data.Forbidden, Message: "Only administrators of this site can create communities."}

// Create makes a community with its creator as the owner and a subscriber. Its shard, where all its posts will be, is chosen by load
// (place). Create writes the shard's copy at once; if the shard is down, the retry job writes it (Copy). It returns the id. If the same
// form has created an equal community before, it returns that one's id. Invalid, Conflict (the name), AlreadySent (the same form has made
// another), Forbidden, Unauthenticated and Unavailable.
//
// The trigger subscriptions_added counts the creator as a member.
func (s *Store) Create(ctx context.Context, a data.Actor, c Create) (data.ID, error) {
	if err := c.validate(); err != nil {
		return 0, err
	}
	slot, err := s.findSlot(ctx, strings.ToLower(c.Name))
	if err != nil {
		return 0, err
	}
	now := s.Source.Now()
	id := s.Source.NewID(slot.number, data.KindOther)
	once := data.IdempotencyKey{Author: a.UserID, Form: "community", Token: c.Token, ID: id,
		Digest: data.DigestOf(c.Name, c.Title, c.Description)}
	columns := a.Args(data.Args{
		"id": id, "name": c.Name, "key": strings.ToLower(c.Name), "title": c.Title, "description": c.Description,
		"words": searchwords.Words(c.Title), "about_words": searchwords.Words(c.Description),
		"colour": DefaultColour(c.Name), "at": now, "roles": int(a.Roles),
	})
	var name string
	founder := data.Permission{Refused: ErrFounders}

	w := s.DB.Write()
	created := w.Once(once, now, createCommunity, columns)
	w.Do(createModerator, data.Args{"id": id, "actor": a.UserID, "username": a.Name, "at": now})
	w.Do(createSubscription, data.Args{"id": id, "user": a.UserID, "at": now})
	s.addSlot(w, slot, id)
	w.Find(isFounder, a.Args(data.Args{"roles": int(a.Roles)}), founder.Scan)
	copies := s.enqueueCopy(w, id)
	w.Find(createdCommunity, once.Args(nil), func(row *data.Row) { name = row.Text() })
	if err := w.Run(ctx); data.IsTaken(err) {
		return 0, &data.Error{Code: data.Conflict, Field: "name", Message: "There is a community of that name already."}
	} else if err != nil {
		return 0, err
	}
	switch err := founder.Err(); {
	case err != nil:
		return 0, err
	case created.Other():
		return 0, data.ErrKeyReused(locale.With("This form was sent before, with other content, and made the community {}.", name), "/c/"+name)
	case created.Before(): // that request has enqueued the shard's copy, too
		return created.ID, nil
	}
	s.DB.Remember(c.Name, id)
	s.copyNow(ctx, copies)
	return id, nil
}
