package reports

import (
	"slices"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/rights/rules"
	"plaza/protocol/weburl"
)

// casesMax is how many of the newest waiting items of a community FindAuthors reads.
const casesMax = 250

// Author is the author of waiting items in a community, who is not banned there.
type Author struct {
	ID      data.ID
	Name    string
	Items   int64 // the number of their waiting items
	Reports int64 // about them
	Targets []data.ID
	Hosts   []string // to which they link there, without www.
	URL     string   // of the newest case
	Title   string   // of its post
	// Network is the network of their last login, as it is stored; "" if it is not known. Moderators never see it, only which authors share
	// one.
	Network string
}

// Joined returns when the account was created.
func (a *Author) Joined() time.Time { return a.ID.Time() }

// Links reports whether the author links to a domain or a subdomain.
func (a *Author) Links(domain string) bool {
	return slices.ContainsFunc(a.Hosts, func(host string) bool { return weburl.Within(host, domain) })
}

// Authors are the authors of the newest waiting items of a community. Read it after Run.
type Authors struct {
	List  []*Author // those with the newest items first
	More  bool      // more items wait than were read
	cases int
}

const (
	// The newest waiting items of a community, index queue_items_new.
	newestCases = `(SELECT q.target_id, q.community_id, q.reports, q.came_at FROM queue_items q WHERE q.community_id = (SELECT k.id
  FROM communities k WHERE k.name_key = :community)
  AND q.status = 'open' ORDER BY q.came_at DESC, q.target_id DESC LIMIT :limit) t LEFT JOIN comments c ON c.id = t.target_id
  CROSS JOIN posts p ON p.id = coalesce(c.post_id, t.target_id)`
	authorCases = `SELECT t.target_id, t.reports, coalesce(c.author_id, p.author_id), coalesce(c.author_name, p.author_name), p.community_name,
  p.slug, p.title,
  iif(c.id IS NULL, p.link, ''), iif(c.id IS NULL, p.image, ''), coalesce(substr(c.body_html, 1, 2000), (SELECT substr(x.html, 1, 2000)
  FROM post_texts x WHERE x.post_id = p.id)),
  EXISTS (SELECT 1 FROM bans ban WHERE ban.community_id = t.community_id AND ban.user_id = coalesce(c.author_id, p.author_id)
  AND ban.kind = 'ban' AND ban.until > ` + data.DatabaseNow + `)
FROM ` + newestCases + ` ORDER BY t.came_at DESC, t.target_id DESC`
	// The networks of the last logins of these and other authors: index sessions_user, from its end.
	authorNetworks = `SELECT o.id, coalesce((SELECT s.network FROM sessions s WHERE s.user_id = o.id ORDER BY s.seen_at DESC LIMIT 1), '')
FROM (SELECT coalesce(c.author_id, p.author_id) AS id FROM ` + newestCases +
		` UNION SELECT j.value FROM json_each(:members) j) o WHERE o.id IS NOT NULL`
)

// FindAuthors reads, along with a page, the authors of the newest posts and comments that wait in a community. On a site with one database
// it also reads their networks; with shards call FindNetworks after Run.
func (s *Store) FindAuthors(r *data.Read, community string) *Authors {
	all, home := &Authors{}, data.In(community)
	args := data.Args{"community": strings.ToLower(community), "limit": casesMax + 1, "now": s.Source.DatabaseNow()}
	r.FindAt(home, authorCases, args, all.scan)
	if !s.DB.HasShards() {
		s.findNetworks(r, community, all)
	}
	return all
}

// FindNetworks reads the networks of authors, which a shard does not have.
func (s *Store) FindNetworks(r *data.Read, all *Authors) { s.findNetworks(r, "", all) }

func (s *Store) findNetworks(r *data.Read, community string, all *Authors) {
	members := []data.ID{}
	for _, a := range all.List {
		members = append(members, a.ID)
	}
	networks := map[data.ID]string{}
	r.Find(authorNetworks, data.Args{"community": strings.ToLower(community), "limit": casesMax, "members": members},
		func(row *data.Row) {
			networks[row.ID()] = row.Text()
		})
	r.After(func() {
		for _, a := range all.List {
			a.Network = networks[a.ID]
		}
	})
}

func (all *Authors) scan(row *data.Row) {
	if all.cases++; all.cases > casesMax {
		all.More = true
		return
	}
	target, reports, author, name := row.ID(), row.Int(), row.ID(), row.Text()
	item := Item{Target: target, Community: row.Text(), Slug: row.Text(), Title: row.Text()}
	content, banned := rules.Thing{Addresses: []string{row.Text(), row.Text()}, HTML: row.Text()}, row.Bool()
	if author == 0 || name == "" || banned {
		return
	}
	i := slices.IndexFunc(all.List, func(a *Author) bool { return a.ID == author })
	if i < 0 {
		i = len(all.List)
		all.List = append(all.List, &Author{ID: author, Name: name, URL: item.URL(), Title: item.Title})
	}
	a := all.List[i]
	a.Items, a.Reports, a.Targets = a.Items+1, a.Reports+reports, append(a.Targets, target)
	if !target.IsComment() {
		content.Title = item.Title
	}
	for _, host := range rules.Hosts(content) {
		if !slices.Contains(a.Hosts, host) {
			a.Hosts = append(a.Hosts, host)
		}
	}
}
