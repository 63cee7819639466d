package communities

import (
	"context"
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"

	"plaza/data"
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
	ID           data.ID
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
type Store struct {
	DB      *data.DB
	Source  data.Source
	colours colours
	warm    data.Warm[string, Community] // without what is the viewer's own
}

// CreateCommunity is what the form for a new community asks for.
type Create struct {
	Name, Title, Description string
	Token                    string // of the form; what it has made is not made again
}

func (c *Create) validate() error {
	c.Name, c.Title, c.Description = strings.TrimSpace(c.Name), data.Line(c.Title), data.Plain(c.Description)
	if c.Title == "" {
		c.Title = c.Name
	}
	return data.AllMistakes(c.validateName(), validateAbout(c.Title, c.Description))
}

func (c *Create) validateName() error {
	if look := data.LookOf(c.Name); data.SpokenFor[look] || data.ReservedCommunities[look] {
		return &data.Error{Code: data.Conflict, Field: "name", Message: "That name is reserved. Please choose another."}
	}
	return data.MistakeIf(!data.IsName(c.Name, CommunityNameMin, CommunityNameMax, false), "name", "A community's name has 3 to 21 characters: letters, digits and _.")
}

func validateAbout(title, description string) error {
	return data.AllMistakes(
		data.MistakeIf(utf8.RuneCountInString(title) > CommunityTitleMax, "title", "A title has at most 100 characters."),
		data.MistakeIf(utf8.RuneCountInString(description) > CommunityDescriptionMax, "description", "A description has at most 500 characters."),
	)
}

const (
	createCommunity = `INSERT INTO communities (id, name, name_key, title, description, colour, creator_id, created_at)
SELECT ?4, ?5, ?6, ?7, ?8, ?9, ?1, ?10 WHERE ` + data.OldLiveSession + ` AND ` + data.OldUnmade + `?11)`
	createModerator = `INSERT INTO moderators (community_id, user_id, username, created_at)
SELECT id, ?2, ?3, ?4 FROM communities WHERE id = ?1 ON CONFLICT DO NOTHING`
	createSubscription = `INSERT INTO subscriptions (user_id, community_id, created_at)
SELECT ?2, id, ?3 FROM communities WHERE id = ?1 ON CONFLICT DO NOTHING`
	// Primary keys.
	madeCommunity = `SELECT c.id, c.name, m.digest, ` + data.OldLiveSession + ` FROM made m JOIN communities c ON c.id = m.made_id WHERE m.author_id = ?1 AND m.key = ?4`
)

// CreateCommunity makes a community whose creator moderates it and takes part in it.
// Chance chooses its shard, where all its posts will be. It returns what an equal one of
// the same Token has made. Invalid, Conflict, AlreadySent (the Token has made another) and
// Unauthenticated.
func (s *Store) Create(ctx context.Context, a data.Actor, c Create) (data.ID, error) {
	if err := c.validate(); err != nil {
		return 0, err
	}
	now := s.Source.Now()
	id := s.Source.NewID(int(s.Source.Rand()%uint32(len(s.DB.Shards()))), data.KindOther)
	key, digest := data.OldMadeKey("community", c.Token, id), data.DigestOf(c.Name, c.Title, c.Description)
	insert := data.OldStmt(createCommunity, a.OldArgs(id, c.Name, strings.ToLower(c.Name), c.Title, c.Description, DefaultColour(c.Name), now.UnixMilli(), key)...)
	results, err := data.Tx(ctx, s.DB.OldDirectory(), insert, data.OldRecording(a.UserID, key, digest, id, now),
		data.OldStmt(createModerator, id, a.UserID, a.Name, now.UnixMilli()),
		data.OldStmt(createSubscription, id, a.UserID, now.UnixMilli()), data.OldStmt(madeCommunity, a.OldArgs(key)...))
	if hrana.IsUnique(err) {
		return 0, &data.Error{Code: data.Conflict, Field: "name", Message: "There is a community of that name already."}
	}
	if err != nil {
		return 0, err
	}
	var made data.ID
	var name, said string
	var live bool
	if err := data.Each(results[4], func(r *data.Row) { made, name, said, live = r.ID(), r.Text(), r.Text(), r.Bool() }); err != nil {
		return 0, err
	}
	switch {
	case !live: // or made none, for the same reason
		return 0, data.ErrSessionEnded
	case said != digest:
		return 0, data.ErrAlreadyMade("This form was sent before, with other content, and made the community "+name+".", "/c/"+name)
	case made != id: // by an earlier request, which also saw to its shard
		return made, nil
	}
	if shard := s.DB.OldShard(id); shard != s.DB.OldDirectory() {
		// Founded it is in any case, and the name is taken: should the shard not be
		// reached, CopyFounded makes its copy within a minute.
		_, _ = data.Tx(ctx, shard, insert)
	}
	return id, nil
}

const (
	// Unique index on name_key; the rest are look-ups by primary key.
	communityByName = `SELECT c.id, c.name, c.title, c.description, ` + data.SidebarBody + `, c.rules, c.colour, c.members, c.growth, c.created_at,
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
func (s *Store) FindByName(r *data.Read, shard *hrana.Client, name string, viewer data.ID) *Community {
	c := &Community{}
	key, now := strings.ToLower(name), s.Source.Now()
	if kept, ok := s.warm.Get(key, now, r.Changed); ok && viewer != 0 {
		*c = kept
		r.OldAddOwn(s.DB.OldDirectory(), c.ID, "", data.OldStmt(communityMine, c.ID, viewer), func(res hrana.Result) error {
			return data.Each(res, func(row *data.Row) { c.Subscribed, c.Moderator = row.Bool(), row.Bool() })
		})
		return c
	}
	r.OldAdd(s.DB.OldDirectory(), data.OldStmt(communityByName, key, viewer), func(res hrana.Result) error {
		return data.Each(res, func(row *data.Row) {
			scanCommunity(row, c)
			c.Subscribed, c.Moderator = row.Bool(), row.Bool()
			s.DB.Remember(key, c.ID)
		})
	})
	r.OldAdd(s.DB.OldDirectory(), data.OldStmt(communityModerators, key), func(res hrana.Result) error {
		return data.Each(res, func(row *data.Row) { c.Moderators = append(c.Moderators, row.Text()) })
	})
	r.OldAdd(shard, data.OldStmt(communityPosts, key), func(res hrana.Result) error {
		return data.Each(res, func(row *data.Row) { c.Posts, c.WeekPosts = row.Int(), row.Int() })
	})
	r.OldAfter(func() {
		if c.ID != 0 {
			neutral := *c
			neutral.Subscribed, neutral.Moderator = false, false
			s.warm.Put(key, neutral, now.Add(data.ListingLife))
		}
	})
	return c
}

func scanCommunity(r *data.Row, c *Community) {
	c.ID, c.Name, c.Title, c.Description, c.SidebarHTML, c.SidebarPlain = r.ID(), r.Text(), r.Text(), r.Text(), r.Text(), r.Text()
	if rules := r.Text(); rules != "" && rules != "[]" {
		if err := json.Unmarshal([]byte(rules), &c.Rules); err != nil && r.Err == nil {
			r.Err = err
		}
	}
	c.Colour, c.Members, c.Growth, c.CreatedAt = r.Text(), r.Int(), r.Int(), data.Millis(r.Int())
}

const (
	subscribe = `INSERT INTO subscriptions (user_id, community_id, created_at)
SELECT ?1, c.id, ?5 FROM communities c WHERE c.name_key = ?4 AND ` + data.OldLiveSession + ` ON CONFLICT DO NOTHING`
	unsubscribe = `DELETE FROM subscriptions WHERE user_id = ?1
AND community_id = (SELECT id FROM communities WHERE name_key = ?4) AND ` + data.OldLiveSession
	CommunityExists = `SELECT EXISTS (SELECT 1 FROM communities WHERE name_key = ?4), ` + data.OldLiveSession
)

// Subscribe joins or leaves a community. NotFound and Unauthenticated.
func (s *Store) Subscribe(ctx context.Context, a data.Actor, name string, on bool) error {
	defer s.warm.Clear()
	key := strings.ToLower(name)
	change := data.OldStmt(unsubscribe, a.OldArgs(key)...)
	if on {
		change = data.OldStmt(subscribe, a.OldArgs(key, s.Source.Now().UnixMilli())...)
	}
	results, err := data.Tx(ctx, s.DB.OldDirectory(), change, data.OldStmt(CommunityExists, a.OldArgs(key)...))
	if err != nil {
		return err
	}
	var exists, live bool
	if err := data.Each(results[1], func(r *data.Row) { exists, live = r.Bool(), r.Bool() }); err != nil {
		return err
	}
	if !live {
		return data.ErrSessionEnded
	}
	if !exists {
		return data.ErrNoCommunity
	}
	return nil
}
