package search

import (
	"strings"
	"unicode/utf8"

	"plaza/data"
	"plaza/data/accounts"
	"plaza/data/content/communities"
)

// The lists of communities and members have one page: the best of the candidates.
const (
	// The newest matches, and communities whose names begin with the text.
	foundCommunities = `WITH found (id) AS MATERIALIZED (SELECT * FROM (SELECT s.rowid FROM search_communities s
  WHERE s.search_communities MATCH :match ORDER BY s.rowid DESC LIMIT 300)
UNION SELECT * FROM (SELECT n.id FROM communities n WHERE n.name_key >= :name AND n.name_key < :end ORDER BY n.name_key LIMIT 50))
`
	communitiesFrom = ` FROM found f CROSS JOIN communities c ON c.id = f.id WHERE c.kind = 'community'
  ORDER BY c.name_key = :name DESC, c.members DESC, c.id DESC LIMIT :limit`

	searchCommunities     = foundCommunities + communities.ItemColumns + communities.ItemMine + communitiesFrom
	searchCommunitiesAnon = foundCommunities + communities.ItemColumns + communities.ItemVisitor + communitiesFrom

	foundPeople = `WITH found (id) AS MATERIALIZED (SELECT * FROM (SELECT s.rowid FROM search_people s WHERE s.search_people MATCH :match
  ORDER BY s.rowid DESC LIMIT 300)
UNION SELECT * FROM (SELECT n.id FROM users n WHERE n.username_key >= :name AND n.username_key < :end ORDER BY n.username_key LIMIT 50))
`
	peopleFrom = ` FROM found f CROSS JOIN users u ON u.id = f.id WHERE u.status = 'active' AND u.username <> '' AND u.waiting IS NULL
ORDER BY u.username_key = :name DESC, u.followers DESC, u.karma DESC, u.id DESC LIMIT :limit`

	searchPeople     = foundPeople + accounts.PersonColumns + accounts.PersonForMember + peopleFrom
	searchPeopleAnon = foundPeople + accounts.PersonColumns + accounts.PersonForVisitor + peopleFrom

	// Suggestions for a text that is being typed: names with that prefix, and communities with many members with it.
	suggestCommunities = `SELECT c.name, c.colour, c.icon, c.members FROM (SELECT large.id FROM (SELECT b.id, b.name_key FROM communities b
  WHERE b.kind = 'community' ORDER BY b.members DESC LIMIT 200) large
  WHERE large.name_key >= :name AND large.name_key < :end
UNION SELECT * FROM (SELECT n.id FROM communities n WHERE n.name_key >= :name AND n.name_key < :end ORDER BY n.name_key LIMIT 30)) f
CROSS JOIN communities c ON c.id = f.id WHERE c.kind = 'community' ORDER BY c.name_key = :name DESC, c.members DESC, c.id DESC LIMIT 5`
	suggestPeople = `SELECT u.username, u.avatar FROM (SELECT n.id FROM users n WHERE n.username_key >= :name AND n.username_key < :end
  ORDER BY n.username_key LIMIT 60) f CROSS JOIN users u ON u.id = f.id WHERE u.status = 'active' AND u.username <> '' AND u.waiting IS NULL
ORDER BY u.username_key = :name DESC, u.followers DESC, u.id DESC LIMIT 5`
)

// named returns the arguments that find names that begin with a text.
func named(text string) data.Args {
	name := strings.ToLower(strings.TrimSpace(text))
	return data.Args{"name": name, "end": name + "\U0010FFFF"}
}

// directoryArgs returns the arguments of a search in the directory, where each word may be a prefix.
func (q *Query) directoryArgs(text string) data.Args {
	args := named(text)
	terms := make([]Term, len(q.Words.All))
	for i, t := range q.Words.All {
		terms[i] = Term{Text: t.Text, Prefix: utf8.RuneCountInString(t.last()) > 1}
	}
	args["match"], args["limit"] = all(terms, " AND "), q.Limit
	if len(q.Words.None) > 0 {
		args["match"] = "(" + all(terms, " AND ") + ") NOT (" + all(q.Words.None, " OR ") + ")"
	}
	return args
}

// FindCommunities searches communities by the words of a query, which must have some. text is the typed text, which may be a name.
// Communities with the most members are first, up to Limit.
func (s *Store) FindCommunities(r *data.Read, q Query, text string) *[]communities.Community {
	list, sql, args := &[]communities.Community{}, searchCommunitiesAnon, q.directoryArgs(text)
	if q.Viewer != 0 {
		sql, args["viewer"] = searchCommunities, q.Viewer
	}
	r.Find(sql, args, communities.ScanItem(list))
	return list
}

// FindPeople searches members in the same way. Members with the most followers are first.
func (s *Store) FindPeople(r *data.Read, q Query, text string) *[]accounts.Person {
	list, sql, args := &[]accounts.Person{}, searchPeopleAnon, q.directoryArgs(text)
	if q.Viewer != 0 {
		sql, args["viewer"] = searchPeople, q.Viewer
	}
	r.Find(sql, args, accounts.ScanPerson(list))
	return list
}

// Suggestion is a community or a member whose name begins with the typed text.
type Suggestion struct {
	Name, Colour, Icon, Avatar string
	Members                    int64
	Person                     bool
}

// Suggest finds up to five communities and five members along with a page.
func (s *Store) Suggest(r *data.Read, text string) *[]Suggestion {
	list := &[]Suggestion{}
	r.Find(suggestCommunities, named(text), func(row *data.Row) {
		*list = append(*list, Suggestion{Name: row.Text(), Colour: row.Text(), Icon: row.Text(), Members: row.Int()})
	})
	r.Find(suggestPeople, named(text), func(row *data.Row) {
		*list = append(*list, Suggestion{Name: row.Text(), Avatar: row.Text(), Person: true})
	})
	return list
}
