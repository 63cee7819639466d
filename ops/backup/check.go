package backup

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"plaza"
	"plaza/data/schema"
	"plaza/ops/bucket"
)

// manifestMax is the longest manifest, in bytes. The manifest of three databases has 30 KB.
const manifestMax = 16 << 20

// Check reads all of a backup, and returns its manifest if every file is unchanged. It uses no database, so it does not check whether a
// database accepts the statements and rows.
func Check(ctx context.Context, dir string, progress Progress) (*Manifest, error) {
	text, err := readFile(filepath.Join(dir, manifestFile), manifestMax)
	if err != nil {
		return nil, err
	}
	m := &Manifest{}
	if err := json.Unmarshal(text, m); err != nil {
		return nil, fmt.Errorf("%s: %w", manifestFile, err)
	}
	if m.Version != version {
		return nil, fmt.Errorf("it is a backup of version %d, and this build reads version %d", m.Version, version)
	}
	names := map[string]bool{}
	for _, d := range m.Databases {
		names[d.Name] = true
	}
	if !names["directory"] || len(names) != len(m.Databases) || slices.ContainsFunc(m.Shards, func(name string) bool { return !names[name] }) {
		return nil, fmt.Errorf("%s does not name the databases of a site", manifestFile)
	}
	m.SHA256 = bucket.SumOf(text)
	done, total := int64(0), m.Rows()
	for i := range m.Databases {
		d := &m.Databases[i]
		created, err := d.read(ctx, dir, func(h *head, _ []any) error {
			if h != nil && h.Rows != nil {
				done += *h.Rows
				progress(done, total, "reading "+d.Name+", "+h.Name)
			} else if h != nil {
				d.created = append(d.created, *h)
			}
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", d.File, err)
		}
		d.Changed = created.changed(d.Step)
	}
	if m.Pictures != nil {
		err = m.Pictures.check(ctx, dir, progress)
	}
	return m, err
}

// statements are the statements of a file that create something, as schema.Canonical writes them, by kind and name.
type statements map[string]string

// add adds the statement of a line. Because a restore runs it, it must be one statement that creates what the line names, and the file must
// not have the name already.
func (s statements) add(h head) error {
	if len(s) >= objectsMax {
		return fmt.Errorf("there are more than %d tables, indexes, triggers and views", objectsMax)
	}
	key := h.Kind + " " + h.Name
	if s[key] != "" || h.Name == "" || internal(strings.ToLower(h.Name)) {
		return fmt.Errorf("%q can't be made", key)
	}
	if h.Kind == "table" && h.SQL == clearing(h.Name) {
		for i, c := range h.Name {
			if c == '_' && strings.HasPrefix(s["table "+h.Name[:i]], "CREATE VIRTUAL TABLE ") {
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

// clearing returns the statement for a table that exists as soon as its virtual table is created.
func clearing(table string) string { return "DELETE FROM " + quote(table) }

// making matches a canonical statement with a bar instead of the created name. Tables can't be created from a query.
var making = map[string]*regexp.Regexp{
	"table":   regexp.MustCompile(`(?i)^(?:CREATE TABLE\|\( |CREATE VIRTUAL TABLE\|USING fts5(?:vocab)? )`),
	"index":   regexp.MustCompile(`(?i)^CREATE (?:UNIQUE )?INDEX\|`),
	"trigger": regexp.MustCompile(`(?i)^CREATE TRIGGER\|`),
	"view":    regexp.MustCompile(`(?i)^CREATE VIEW\|`),
}

func makes(statement, kind, name string) bool {
	for _, called := range []string{schema.Canonical(quote(name)), "'" + name + "'", "`" + name + "`", "[" + name + "]"} {
		before, after, found := strings.Cut(statement, " "+called+" ")
		if found && making[kind] != nil && making[kind].MatchString(before+"|"+after) {
			return true
		}
	}
	return false
}

func areColumns(names []string) bool {
	seen := map[string]bool{"": true}
	for _, name := range names {
		if name = strings.ToLower(name); seen[name] {
			return false
		}
		seen[name] = true
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
		if text != want[key] && !strings.HasPrefix(text, "DELETE FROM ") {
			names = append(names, key)
		}
	}
	for key := range want {
		if s[key] == "" || s[key] != want[key] && strings.HasPrefix(s[key], "DELETE FROM ") {
			names = append(names, key)
		}
	}
	slices.Sort(names)
	return names
}
