package data

import (
	"context"
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"

	"plaza/data/hrana"
)

// Limits of a community's fields, in characters.
const (
	CommunityNameMin        = 3
	CommunityNameMax        = 21
	CommunityTitleMax       = 100
	CommunityDescriptionMax = 500
	SidebarMax              = 10000
	RuleTitleMax            = 100
	RuleTextMax             = 500
	RulesMax                = 15 // rules of a community
)

// Community is a place for posts about one thing.
type Community struct {
	ID           ID
	Name         string
	Title        string
	Description  string
	SidebarHTML  string
	SidebarPlain string // in place of SidebarHTML where that is larger than SidebarHTMLMax
	Rules        []Rule
	Colour       string // CSS hex colour, one of Palette
	Members      int64
	Growth       int64 // members who came in the last seven days
	CreatedAt    time.Time
	Subscribed   bool // the viewer is a member
	Moderator    bool // the viewer moderates it
	Moderators   []string
	Posts        int64
	WeekPosts    int64 // posts of the last seven days
}

// Rule is one of a community's rules.
type Rule struct {
	Title string `json:"title"`
	Text  string `json:"text"`
}

// CommunityStore keeps communities, subscriptions and moderators.
type CommunityStore struct {
	DB      *DB
	Source  Source
	colours colours
	warm    warm[string, Community] // without what is the viewer's own
}

// CreateCommunity is what the form for a new community asks for.
type CreateCommunity struct {
	Name, Title, Description string
	Token                    string // of the form; what it has made is not made again
}

func (c *CreateCommunity) validate() error {
	c.Name, c.Title, c.Description = strings.TrimSpace(c.Name), Line(c.Title), Plain(c.Description)
	if c.Title == "" {
		c.Title = c.Name
	}
	return AllMistakes(c.validateName(), validateAbout(c.Title, c.Description))
}

func (c *CreateCommunity) validateName() error {
	if look := lookOf(c.Name); spokenFor[look] || reservedCommunities[look] {
		return &Error{Code: Conflict, Field: "name", Message: "That name is reserved. Please choose another."}
	}
	return MistakeIf(!isName(c.Name, CommunityNameMin, CommunityNameMax, false), "name", "A community's name has 3 to 21 characters: letters, digits and _.")
}

func validateAbout(title, description string) error {
	return AllMistakes(
		MistakeIf(utf8.RuneCountInString(title) > CommunityTitleMax, "title", "A title has at most 100 characters."),
		MistakeIf(utf8.RuneCountInString(description) > CommunityDescriptionMax, "description", "A description has at most 500 characters."),
	)
}

const (
	createCommunity = `INSERT INTO communities (id, name, name_key, title, description, colour, creator_id, created_at)
SELECT ?4, ?5, ?6, ?7, ?8, ?9, ?1, ?10 WHERE ` + liveSession + ` AND ` + unmade + `?11)`
	createModerator = `INSERT INTO moderators (community_id, user_id, username, created_at)
SELECT id, ?2, ?3, ?4 FROM communities WHERE id = ?1 ON CONFLICT DO NOTHING`
	createSubscription = `INSERT INTO subscriptions (user_id, community_id, created_at)
SELECT ?2, id, ?3 FROM communities WHERE id = ?1 ON CONFLICT DO NOTHING`
	// Primary keys.
	madeCommunity = `SELECT c.id, c.name, m.digest, ` + liveSession + ` FROM made m JOIN communities c ON c.id = m.made_id WHERE m.author_id = ?1 AND m.key = ?4`
)

// CreateCommunity makes a community whose creator moderates it and takes part in it.
// Chance chooses its shard, where all its posts will be. It returns what an equal one of
// the same Token has made. Invalid, Conflict, AlreadySent (the Token has made another) and
// Unauthenticated.
func (s *CommunityStore) CreateCommunity(ctx context.Context, a Actor, c CreateCommunity) (ID, error) {
	if err := c.validate(); err != nil {
		return 0, err
	}
	now := s.Source.Now()
	id := s.Source.NewID(int(s.Source.Rand()%uint32(len(s.DB.Shards()))), KindOther)
	key, digest := madeKey("community", c.Token, id), DigestOf(c.Name, c.Title, c.Description)
	insert := stmt(createCommunity, a.args(id, c.Name, strings.ToLower(c.Name), c.Title, c.Description, CommunityColour(c.Name), now.UnixMilli(), key)...)
	results, err := tx(ctx, s.DB.directory, insert, recording(a.UserID, key, digest, id, now),
		stmt(createModerator, id, a.UserID, a.Name, now.UnixMilli()),
		stmt(createSubscription, id, a.UserID, now.UnixMilli()), stmt(madeCommunity, a.args(key)...))
	if hrana.IsUnique(err) {
		return 0, &Error{Code: Conflict, Field: "name", Message: "There is a community of that name already."}
	}
	if err != nil {
		return 0, err
	}
	var made ID
	var name, said string
	var live bool
	if err := each(results[4], func(r *Row) { made, name, said, live = r.ID(), r.Text(), r.Text(), r.Bool() }); err != nil {
		return 0, err
	}
	switch {
	case !live: // or made none, for the same reason
		return 0, ErrSessionEnded
	case said != digest:
		return 0, errAlreadyMade("This form was sent before, with other content, and made the community "+name+".", "/c/"+name)
	case made != id: // by an earlier request, which also saw to its shard
		return made, nil
	}
	if shard := s.DB.shard(id); shard != s.DB.directory {
		// Founded it is in any case, and the name is taken: should the shard not be
		// reached, CopyFounded makes its copy within a minute.
		_, _ = tx(ctx, shard, insert)
	}
	return id, nil
}

const (
	// Unique index on name_key; the rest are look-ups by primary key.
	communityByName = `SELECT c.id, c.name, c.title, c.description, ` + sidebarBody + `, c.rules, c.colour, c.members, c.growth, c.created_at,
  EXISTS (SELECT 1 FROM subscriptions s WHERE s.user_id = ?2 AND s.community_id = c.id),
  EXISTS (SELECT 1 FROM moderators m WHERE m.community_id = c.id AND m.user_id = ?2)
FROM communities c WHERE c.name_key = ?1`
	// Primary key of moderators by prefix, in the order they came.
	communityModerators = `SELECT m.username FROM communities c JOIN moderators m ON m.community_id = c.id
WHERE c.name_key = ?1 LIMIT 20`
	communityPosts = `SELECT s.posts, s.week_posts FROM communities c JOIN community_stats s ON s.community_id = c.id WHERE c.name_key = ?1`
)

// Primary keys.
const communityMine = `SELECT EXISTS (SELECT 1 FROM subscriptions s WHERE s.user_id = ?2 AND s.community_id = ?1),
  EXISTS (SELECT 1 FROM moderators m WHERE m.community_id = ?1 AND m.user_id = ?2)`

// FindByName reads a community along with a page; ID stays 0 when there is none.
// viewer is 0 for a visitor. For members, what is the same for all of them comes from
// the instance's memory for ListingLife.
func (s *CommunityStore) FindByName(r *Read, shard *hrana.Client, name string, viewer ID) *Community {
	c := &Community{}
	key, now := strings.ToLower(name), s.Source.Now()
	if kept, ok := s.warm.get(key, now, r.changed); ok && viewer != 0 {
		*c = kept
		r.addOwn(s.DB.directory, c.ID, "", stmt(communityMine, c.ID, viewer), func(res hrana.Result) error {
			return each(res, func(row *Row) { c.Subscribed, c.Moderator = row.Bool(), row.Bool() })
		})
		return c
	}
	r.add(s.DB.directory, stmt(communityByName, key, viewer), func(res hrana.Result) error {
		return each(res, func(row *Row) {
			scanCommunity(row, c)
			c.Subscribed, c.Moderator = row.Bool(), row.Bool()
			s.DB.Remember(key, c.ID)
		})
	})
	r.add(s.DB.directory, stmt(communityModerators, key), func(res hrana.Result) error {
		return each(res, func(row *Row) { c.Moderators = append(c.Moderators, row.Text()) })
	})
	r.add(shard, stmt(communityPosts, key), func(res hrana.Result) error {
		return each(res, func(row *Row) { c.Posts, c.WeekPosts = row.Int(), row.Int() })
	})
	r.after(func() {
		if c.ID != 0 {
			neutral := *c
			neutral.Subscribed, neutral.Moderator = false, false
			s.warm.put(key, neutral, now.Add(ListingLife))
		}
	})
	return c
}

func scanCommunity(r *Row, c *Community) {
	c.ID, c.Name, c.Title, c.Description, c.SidebarHTML, c.SidebarPlain = r.ID(), r.Text(), r.Text(), r.Text(), r.Text(), r.Text()
	if rules := r.Text(); rules != "" && rules != "[]" {
		if err := json.Unmarshal([]byte(rules), &c.Rules); err != nil && r.err == nil {
			r.err = err
		}
	}
	c.Colour, c.Members, c.Growth, c.CreatedAt = r.Text(), r.Int(), r.Int(), millis(r.Int())
}

const (
	subscribe = `INSERT INTO subscriptions (user_id, community_id, created_at)
SELECT ?1, c.id, ?5 FROM communities c WHERE c.name_key = ?4 AND ` + liveSession + ` ON CONFLICT DO NOTHING`
	unsubscribe = `DELETE FROM subscriptions WHERE user_id = ?1
AND community_id = (SELECT id FROM communities WHERE name_key = ?4) AND ` + liveSession
	communityExists = `SELECT EXISTS (SELECT 1 FROM communities WHERE name_key = ?4), ` + liveSession
)

// Subscribe joins or leaves a community. NotFound and Unauthenticated.
func (s *CommunityStore) Subscribe(ctx context.Context, a Actor, name string, on bool) error {
	defer s.warm.clear()
	key := strings.ToLower(name)
	change := stmt(unsubscribe, a.args(key)...)
	if on {
		change = stmt(subscribe, a.args(key, s.Source.Now().UnixMilli())...)
	}
	results, err := tx(ctx, s.DB.directory, change, stmt(communityExists, a.args(key)...))
	if err != nil {
		return err
	}
	var exists, live bool
	if err := each(results[1], func(r *Row) { exists, live = r.Bool(), r.Bool() }); err != nil {
		return err
	}
	if !live {
		return ErrSessionEnded
	}
	if !exists {
		return ErrNoCommunity
	}
	return nil
}
