package communities

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/rights/roles"
)

// Community is a place for posts about one topic.
type Community struct {
	ID           data.ID
	Name         string
	Title        string
	Description  string
	SidebarHTML  string
	SidebarPlain string // instead of SidebarHTML if that is larger than data.SidebarHTMLMax
	Rules        []Rule
	Colour       string // CSS hex colour, one of data.Palette
	Icon, Banner string // sums of pictures, "" for none; lists leave out Banner
	// As in Settings; lists leave it out.
	CommentPictures string
	Members         int64
	Growth          int64 // new members in the last seven days
	CreatedAt       time.Time
	Subscribed      bool       // the viewer subscribes to it
	Role            roles.Role // the viewer's
	Moderators      []string
	Posts           int64
	WeekPosts       int64 // posts of the last seven days
	Pages           []PageLink
}

// PageLink is the link to a wiki page of the community (package wiki).
type PageLink struct{ Slug, Title string }

// Rule is one of a community's rules.
type Rule struct {
	Title string `json:"title"`
	Text  string `json:"text"`
}

// Store keeps communities, subscriptions and moderators.
type Store struct {
	data.Base
	colours     colours
	cache       data.Cache[string, Community] // by key, without the viewer's own fields
	unavailable data.Cache[string, namesOn]   // by the numbers of shards
}

const (
	// Two columns: the HTML of the sidebar, or NULL if it is longer than data.SidebarHTMLMax, and in that case the text.
	sidebarBody = `iif(octet_length(c.sidebar_html) <= 65536, c.sidebar_html, NULL),
  iif(octet_length(c.sidebar_html) > 65536, substr(c.sidebar, 1, 10000), NULL)`
	// Unique index on name_key, index wiki_pages_slug; the rest are look-ups by primary key.
	communityByName = `SELECT c.id, c.name, c.title, c.description, ` + sidebarBody + `,
  c.rules, c.colour, c.icon, c.banner, c.comment_pictures, c.members, c.growth, c.created_at,
  EXISTS (SELECT 1 FROM subscriptions s WHERE s.user_id = :viewer AND s.community_id = c.id),
  (SELECT m.role FROM moderators m WHERE m.community_id = c.id AND m.user_id = :viewer),
  (SELECT json_group_array(json_array(g.slug, g.title)) FROM wiki_pages g WHERE g.community_id = c.id AND g.deleted_at IS NULL)
FROM communities c WHERE c.name_key = :key`
	// Primary key of moderators by prefix, in the order in which they joined.
	communityModerators = `SELECT m.username FROM communities c JOIN moderators m ON m.community_id = c.id
WHERE c.name_key = :key LIMIT 20`
	communityPosts = `SELECT s.posts, s.week_posts FROM communities c JOIN community_stats s ON s.community_id = c.id WHERE c.name_key = :key`

	viewersPart = `SELECT EXISTS (SELECT 1 FROM subscriptions s WHERE s.user_id = :viewer AND s.community_id = :id),
  (SELECT m.role FROM moderators m WHERE m.community_id = :id AND m.user_id = :viewer)`
)

// FindByName reads a community along with a page; ID stays 0 if it does not exist. viewer is 0 for a visitor. For members, fields that
// are the same for all of them are cached in the instance for data.ListingLife.
func (s *Store) FindByName(r *data.Read, name string, viewer data.ID) *Community {
	c := &Community{}
	key, now := strings.ToLower(name), s.Source.Now()
	scanViewersPart := func(row *data.Row) { c.Subscribed, c.Role = row.Bool(), roles.Role(row.Text()) }
	if kept, ok := s.cache.Get(key, now, r.Changes.Public); ok && viewer != 0 {
		*c = kept
		r.FindCached(c.ID.Text(), viewersPart, data.Args{"id": c.ID, "viewer": viewer}, scanViewersPart)
		return c
	}
	r.Find(communityByName, data.Args{"key": key, "viewer": viewer}, func(row *data.Row) {
		scanCommunity(row, c)
		scanViewersPart(row)
		c.Pages = scanPages(row)
		s.DB.Remember(key, c.ID)
	})
	r.Find(communityModerators, data.Args{"key": key}, func(row *data.Row) { c.Moderators = append(c.Moderators, row.Text()) })
	r.FindAt(data.In(key), communityPosts, data.Args{"key": key}, func(row *data.Row) { c.Posts, c.WeekPosts = row.Int(), row.Int() })
	r.After(func() {
		if c.ID != 0 {
			neutral := *c
			neutral.Subscribed, neutral.Role = false, ""
			s.cache.Put(key, neutral, now, r.Lag())
		}
	})
	return c
}

func scanCommunity(row *data.Row, c *Community) {
	c.ID, c.Name, c.Title, c.Description, c.SidebarHTML, c.SidebarPlain = row.ID(), row.Text(), row.Text(), row.Text(), row.Text(), row.Text()
	c.Rules = scanRules(row)
	c.Colour, c.Icon, c.Banner, c.CommentPictures = row.Text(), row.Text(), row.Text(), row.Text()
	c.Members, c.Growth, c.CreatedAt = row.Int(), row.Int(), row.Time()
}

// scanRules reads the column rules, a JSON array.
func scanRules(row *data.Row) []Rule {
	rules := []Rule{}
	if text := row.Text(); text != "[]" {
		if err := json.Unmarshal([]byte(text), &rules); err != nil {
			row.Fail(err)
		}
	}
	return rules
}

// scanPages reads the links to a community's pages, a JSON array, and sorts them by their titles.
func scanPages(row *data.Row) []PageLink {
	text := row.Text()
	if text == "[]" {
		return nil
	}
	var list [][2]string
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		row.Fail(err)
	}
	pages := make([]PageLink, len(list))
	for i, p := range list {
		pages[i] = PageLink{p[0], p[1]}
	}
	slices.SortStableFunc(pages, func(a, b PageLink) int { return strings.Compare(strings.ToLower(a.Title), strings.ToLower(b.Title)) })
	return pages
}
