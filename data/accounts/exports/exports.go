// Package exports reads all data that the site has about one member, in parts of bounded size. It reads each kind of rows by an index that
// begins with the member, from a cursor on, in one database at a time. So a part costs the same however many rows the member has. Rows that
// exports read have a limit of their own.
//
// Begin with Kinds and Store.FindFile; kinds.go has the statements. docs/inside/accounts.md says what a move of a community does to an
// export. TestEveryColumnIsExported checks each column of each table that names members.
package exports

import (
	"encoding/json"
	"strings"
	"time"

	"plaza/data"
	"plaza/locale"
)

// Store reads exports.
type Store struct {
	DB *data.DB
}

// A Cursor is a position among the rows of a kind: a database, and the key of the last row before it.
type Cursor struct {
	Place   int // index of the result of Places
	Key, ID int64
	Move    int64 // the result of FindMove when the export began; 0 if it was not read, because one database has all of it
}

// End returns the position after all rows of the cursor's place.
func (c Cursor) End() Cursor { return Cursor{c.Place, 1 << 62, 1 << 62, c.Move} }

// Part is a range of rows that fits into one file.
type Part struct {
	After, To Cursor
	Count     int64
}

// partsAtOnce is how many parts FindParts finds at most.
const partsAtOnce = 10

// A Kind is a kind of rows in an export. Its statements find the keys of its parts, and the rows of one part.
type Kind struct {
	Name        string
	Label       locale.Text
	in          place
	parts, rows string
	atOnce      int64  // rows of a part, at most
	size        int64  // of a part, as the sum of the column w; it ends where that is reached
	columns     string // of the rows, after the key: name, or name:type
}

// place says which databases have rows of a kind.
type place int

const (
	inDirectory place = iota
	onShards
	everywhere
)

// Kinds are all kinds except the account, which FindAccount reads.
func Kinds() []Kind { return kinds }

// Named returns the kind with a name.
func Named(name string) (Kind, bool) {
	for _, k := range kinds {
		if k.Name == name {
			return k, true
		}
	}
	return Kind{}, false
}

// Places returns the databases that have rows of a kind.
func (s *Store) Places(k Kind) []data.Where {
	switch k.in {
	case onShards:
		return s.DB.Shards()
	case everywhere:
		return s.DB.Databases()
	}
	return []data.Where{data.In("")}
}

func (k Kind) args(sql string, a data.Actor, after Cursor, more data.Args) data.Args {
	args := data.Args{"actor": a.UserID, "after": after.Key, "size": k.size}
	for name, value := range map[string]any{"name": a.Name, "after_id": after.ID} {
		if strings.Contains(sql, ":"+name+" ") || strings.Contains(sql, ":"+name+")") {
			args[name] = value
		}
	}
	for name, value := range more {
		args[name] = value
	}
	return args
}

// FindParts finds the next parts of a kind in one place, along with a page: at most partsAtOnce, of which the last may be smaller than
// possible. more says that rows may follow.
func (s *Store) FindParts(r *data.Read, a data.Actor, k Kind, after Cursor) (parts *[]Part, more *bool) {
	parts, more = &[]Part{}, new(bool)
	rows, found, last := k.atOnce*partsAtOnce, int64(0), after
	r.FindAt(s.Places(k)[after.Place], k.parts, k.args(k.parts, a, after, data.Args{"rows": rows}), func(row *data.Row) {
		to := Cursor{after.Place, row.Int(), row.Int(), after.Move}
		_ = row.Int() // before
		p := Part{last, to, row.Int()}
		*parts, last, found = append(*parts, p), to, found+p.Count
		*more = found >= rows
	})
	return parts, more
}

// File is one part as lines of JSON.
type File struct {
	Lines []byte
	Next  Cursor // where the next part begins, if More
	More  bool
}

// FindFile reads the rows of a kind after a cursor, up to another cursor or to the size limit, along with a page.
func (s *Store) FindFile(r *data.Read, a data.Actor, k Kind, after, to Cursor) *File {
	f := &File{}
	count := int64(0)
	r.FindAt(s.Places(k)[after.Place], k.rows, k.args(k.rows, a, after, data.Args{"rows": k.atOnce, "to": to.Key, "to_id": to.ID}),
		func(row *data.Row) {
			f.Next = Cursor{after.Place, row.Int(), row.Int(), after.Move}
			before, weight := row.Int(), row.Int()
			count++
			f.More = (count == k.atOnce || before+weight >= k.size) && f.Next != to
			f.line(k.Name, k.columns, row)
		})
	r.After(func() {
		if !f.More && to == to.End() && after.Place+1 < len(s.Places(k)) {
			f.More, f.Next = true, Cursor{Place: after.Place + 1, Move: after.Move}
		}
	})
	return f
}

// line adds a row. columns has the name of each column of the statement, with a colon and the type if value needs that.
func (f *File) line(kind, columns string, row *data.Row) {
	b := append(f.Lines, `{"kind":`...)
	b = appendJSON(b, kind)
	for column := range strings.FieldsSeq(columns) {
		name, as, _ := strings.Cut(column, ":")
		b = append(append(appendJSON(append(b, ','), name), ':'), value(row, as)...)
	}
	f.Lines = append(b, '}', '\n')
}

func value(row *data.Row, as string) []byte {
	v := row.Value()
	n, isInt := v.(int64)
	text, _ := v.(string)
	switch {
	case v == nil:
		return []byte("null")
	case as == "id" && isInt:
		return appendJSON(nil, data.ID(n).Text())
	case as == "time" && n == 0 && isInt: // never
		return []byte("null")
	case as == "time" && isInt:
		return appendJSON(nil, data.Millis(n).Format(time.RFC3339Nano))
	case as == "flag" && isInt:
		return appendJSON(nil, n != 0)
	case as == "json" && json.Valid([]byte(text)):
		return []byte(text)
	}
	return appendJSON(nil, v)
}

func appendJSON(b []byte, v any) []byte {
	text, err := json.Marshal(v)
	if err != nil { // not a value of a database
		text = []byte("null")
	}
	return append(b, text...)
}

// FindAccount reads the data of which a member has few rows in the directory: profile, settings, and sign-in methods without their
// secrets.
func (s *Store) FindAccount(r *data.Read, a data.Actor) *File {
	f := &File{}
	for _, t := range account {
		r.Find(t.sql, data.Args{"actor": a.UserID}, func(row *data.Row) { f.line(t.name, t.columns, row) })
	}
	return f
}
