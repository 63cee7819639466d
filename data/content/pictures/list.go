package pictures

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"plaza/data"
)

// Listed is a picture as administrators see it.
type Listed struct {
	Sum           string
	Type          string
	Width, Height int
	Bytes         int64
	Colour        string
	Member        string // the member who uploaded it first; "" for a deleted account
	At            time.Time
	Blocked       bool // on the whole site
	Uses          []Use
}

// Use is a use of a picture.
type Use struct {
	Kind string // post, comment, avatar, icon or banner
	ID   data.ID
	Post data.ID // the post of a comment
}

// The orders of the list.
const (
	Newest  = "new"
	Largest = "large"
)

// usesShown is how many uses the list shows for each picture.
const usesShown = 5

const (
	listedColumns = `SELECT p.sum, p.type, p.width, p.height, p.bytes, p.colour, u.username, p.created_at,
  EXISTS (SELECT 1 FROM picture_blocks b WHERE b.sum = p.sum AND b.community_id = 0)
FROM pictures p LEFT JOIN users u ON u.id = p.user_id WHERE `
	// Indexes pictures_new, pictures_large and pictures_user, in their order, then primary keys.
	listedNew   = listedColumns + `(p.created_at, p.sum) < (:value, :sum) ORDER BY p.created_at DESC, p.sum DESC LIMIT :limit`
	listedLarge = listedColumns + `(p.bytes, p.sum) < (:value, :sum) ORDER BY p.bytes DESC, p.sum DESC LIMIT :limit`
	listedOf    = listedColumns + `p.user_id = ` + data.MemberNamed + ` AND p.user_id IS NOT NULL AND (p.created_at, p.sum) < (:value, :sum)
ORDER BY p.created_at DESC, p.sum DESC LIMIT :limit`
	// Primary keys.
	listedUses = `SELECT u.kind, u.subject_id, c.post_id FROM picture_uses u
  LEFT JOIN comments c ON c.id = u.subject_id AND u.kind = 'comment' WHERE u.sum = :sum LIMIT :limit`
)

// Pictures that look like the picture :like, which is stored or blocked; at most 500. The indexes of SimilarRows, then primary keys.
var listedLike = listedColumns + `p.sum IN (SELECT a.sum FROM ` + SimilarRows("x.sum AS sum", "pictures", `(SELECT k.hash FROM pictures k
  WHERE k.sum = :like AND k.hash IS NOT NULL UNION SELECT b.hash FROM picture_blocks b WHERE b.sum = :like AND b.hash IS NOT NULL)`) + ` a
  LIMIT 500) AND (+p.created_at, p.sum) < (:value, :sum) ORDER BY +p.created_at DESC, p.sum DESC LIMIT :limit`

// Place is where a page of the list begins: after the picture with this sum and this value of the sort key. The zero value is the first
// page.
type Place struct {
	Value int64
	Sum   string
}

// ParsePlace parses the result of String. ErrBadCursor.
func ParsePlace(s string) (p Place, err error) {
	if s == "" {
		return p, nil
	}
	value, sum, _ := strings.Cut(s, ".")
	if p.Value, err = strconv.ParseInt(value, 10, 64); err != nil || !IsSum(sum) {
		return Place{}, data.ErrBadCursor
	}
	p.Sum = sum
	return p, nil
}

// String returns the place as addresses of pages have it.
func (p Place) String() string { return strconv.FormatInt(p.Value, 10) + "." + p.Sum }

// Place returns the place of the page after this picture.
func (l *Listed) Place(order string) Place {
	if order == Largest {
		return Place{l.Bytes, l.Sum}
	}
	return Place{l.At.UnixMilli(), l.Sum}
}

// FindAll reads a page of all pictures along with a page of the site, the newest or the largest first. With a member it reads only the
// pictures that this member was the first to upload, and with the sum of a picture only those that look like it, the newest first. FindUses
// adds their uses.
func (s *Store) FindAll(r *data.Read, order, member, like string, after Place, limit int) *[]*Listed {
	list := &[]*Listed{}
	args := data.Args{"value": after.Value, "sum": after.Sum, "limit": limit}
	if after.Sum == "" {
		args["value"] = data.BeforeAll
	}
	sql := listedNew
	switch {
	case member != "":
		sql, args["name"] = listedOf, strings.ToLower(member)
	case like != "":
		sql, args["like"] = listedLike, like
	case order == Largest:
		sql = listedLarge
	}
	r.Find(sql, args, func(row *data.Row) {
		*list = append(*list, &Listed{Sum: row.Text(), Type: row.Text(), Width: int(row.Int()), Height: int(row.Int()), Bytes: row.Int(),
			Colour: row.Text(), Member: row.Text(), At: row.Time(), Blocked: row.Bool()})
	})
	return list
}

// FindUses reads from all databases which rows use the pictures of a list, at most usesShown for each.
func (s *Store) FindUses(r *data.Read, list []*Listed) {
	for _, l := range list {
		r.FindEverywhere(listedUses, data.Args{"sum": l.Sum, "limit": usesShown}, func(row *data.Row) {
			u := Use{Kind: row.Text(), ID: row.ID(), Post: row.ID()}
			if len(l.Uses) < usesShown && !slices.Contains(l.Uses, u) { // a post that moves is on two shards
				l.Uses = append(l.Uses, u)
			}
		})
	}
}

// Numbers are how many pictures the site or a member has, and their size.
type Numbers struct {
	Pictures, Bytes int64
	Today           int64 // uploaded in the last day, at most TodayMax
	Room            int64 // the limit of their size, in bytes
}

// TodayMax limits the count of the last day.
const TodayMax = 1000

const (
	// Primary keys, and TodayMax rows of the index pictures_new.
	numbers = `SELECT coalesce((SELECT t.pictures FROM picture_totals t WHERE t.user_id = 0), 0),
  coalesce((SELECT t.bytes FROM picture_totals t WHERE t.user_id = 0), 0),
  (SELECT count(*) FROM (SELECT 1 FROM pictures p WHERE p.created_at > :day LIMIT 1000)), y.site_room FROM ` + set + ` y`
	// The same for a member, by the index pictures_user.
	numbersOf = `SELECT coalesce((SELECT t.pictures FROM picture_totals t WHERE t.user_id = m.id), 0),
  coalesce((SELECT t.bytes FROM picture_totals t WHERE t.user_id = m.id), 0),
  (SELECT count(*) FROM (SELECT 1 FROM pictures p WHERE p.user_id = m.id AND p.user_id IS NOT NULL AND p.created_at > :day LIMIT 1000)),
  y.member_room FROM (SELECT ` + data.MemberNamed + ` AS id) m CROSS JOIN ` + set + ` y`
)

// FindNumbers reads the numbers of the site along with a page, or a member's if there is a name.
func (s *Store) FindNumbers(r *data.Read, member string) *Numbers {
	n := &Numbers{}
	sql, args := numbers, data.Args{"day": s.Source.Now().Add(-24 * time.Hour)}
	if member != "" {
		sql, args["name"] = numbersOf, strings.ToLower(member)
	}
	r.Find(sql, args, func(row *data.Row) {
		n.Pictures, n.Bytes, n.Today, n.Room = row.Int(), row.Int(), row.Int(), row.Int()
	})
	return n
}
