package backup

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"plaza"
	"plaza/data/schema"
)

// statements are the CREATE statements of a file, in the form of schema.Canonical, by kind and name.
type statements map[string]string

// add adds the statement of a line. It refuses everything except one statement that makes the object of the line, and duplicate names,
// because a restore runs these statements.
func (s statements) add(h head) error {
	if len(s) >= objectsMax {
		return fmt.Errorf("there are more than %d tables, indexes, triggers and views", objectsMax)
	}
	key := h.Kind + " " + h.Name
	if s[key] != "" || h.Name == "" || internal(strings.ToLower(h.Name)) {
		return fmt.Errorf("%q can't be made", key)
	}
	if h.Kind == "table" && h.SQL == clearing(h.Name) {
		virtual := h.Name
		for i := strings.LastIndexByte(virtual, '_'); i > 0; i = strings.LastIndexByte(virtual, '_') {
			if virtual = virtual[:i]; strings.HasPrefix(s["table "+virtual], "CREATE VIRTUAL TABLE ") {
				s[key] = h.SQL
				return nil
			}
		}
		return fmt.Errorf("%s is no table that a virtual table has made", h.Name)
	}
	one := schema.Split(h.SQL)
	if len(one) != 1 {
		return fmt.Errorf("what makes %s %s is not one statement", h.Kind, h.Name)
	}
	text := schema.Canonical(one[0])
	if !makes(text, h.Kind, h.Name) || h.Kind == "table" && !strings.HasPrefix(text, "CREATE VIRTUAL ") && !areColumns(h.Columns) {
		return fmt.Errorf("the statement of %s %s makes something else", h.Kind, h.Name)
	}
	s[key] = text
	return nil
}

// clearing returns the statement that empties a table that belongs to a virtual table.
func clearing(table string) string { return "DELETE FROM " + quote(table) }

// makes reports whether a canonical statement makes an object of a kind and name.
func makes(statement, kind, name string) bool {
	for _, begin := range map[string][]string{"table": {"CREATE TABLE ", "CREATE VIRTUAL TABLE "},
		"index":   {"CREATE INDEX ", "CREATE UNIQUE INDEX "},
		"trigger": {"CREATE TRIGGER "}, "view": {"CREATE VIEW "}}[kind] {
		if len(statement) <= len(begin) || !strings.EqualFold(statement[:len(begin)], begin) {
			continue
		}
		rest := statement[len(begin):]
		for _, called := range []string{schema.Canonical(quote(name)), "'" + name + "'", "`" + name + "`", "[" + name + "]"} {
			after, found := strings.CutPrefix(rest, called+" ")
			next, _, _ := strings.Cut(after, " ")
			switch {
			case !found:
			case begin == "CREATE TABLE ":
				return next == "(" // areColumns reports whether a table can have these columns.
			case begin == "CREATE VIRTUAL TABLE ":
				using, _, _ := strings.Cut(strings.TrimPrefix(after, next+" "), " ")
				return strings.EqualFold(next, "USING") && (strings.EqualFold(using, "fts5") || strings.EqualFold(using, "fts5vocab"))
			default:
				return true
			}
		}
	}
	return false
}

// areColumns reports whether a table can have these columns.
func areColumns(names []string) bool {
	seen := map[string]bool{}
	for _, name := range names {
		if key := strings.ToLower(name); name == "" || seen[key] {
			return false
		}
		seen[strings.ToLower(name)] = true
	}
	return len(names) > 0
}

// changed returns the tables, indexes, triggers and views of a database that differ from those of this build. It returns none for a
// database at another step, with which they can't be compared.
func (s statements) changed(step int) (names []string) {
	if step != schema.Version {
		return nil
	}
	want := schema.Objects(plaza.Schema + plaza.Triggers)
	for key, text := range s {
		if strings.HasPrefix(text, "DELETE FROM ") {
			continue
		}
		if text != want[key] {
			names = append(names, key)
		}
		delete(want, key)
	}
	names = append(names, slices.Collect(maps.Keys(want))...)
	slices.Sort(names)
	return names
}
