package setup

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// config is wrangler.toml, line by line. Values are changed in their lines, so comments, order and everything else stay. Of TOML, it only
// parses tables, arrays of tables, and texts on one line.
type config struct {
	path  string
	lines []string
}

func readConfig(path string) (*config, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return &config{path: path, lines: strings.SplitAfter(string(b), "\n")}, nil
}

var (
	tableLine = regexp.MustCompile(`^\s*\[{1,2}\s*([A-Za-z0-9_.-]+)\s*\]{1,2}`)
	// A key and a text in single or double quotes.
	textLine       = regexp.MustCompile(`^(\s*([A-Za-z0-9_-]+)\s*=\s*)("(?:[^"\\]|\\.)*"|'[^']*')`)
	quoted         = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|'[^']*'`)
	workersDevLine = regexp.MustCompile(`^(\s*workers_dev\s*=\s*)(?:true|false)`)
	arrayLine      = regexp.MustCompile(`^\s*([A-Za-z0-9_-]+)\s*=\s*\[(.*)\]`)
)

// each calls visit with each line and its table, until visit returns false. Lines before all tables have the table "".
func (c *config) each(visit func(i int, table, line string) bool) {
	table := ""
	for i, line := range c.lines {
		if m := tableLine.FindStringSubmatch(line); m != nil && !arrayLine.MatchString(line) {
			table = m[1]
		}
		if !visit(i, table, line) {
			return
		}
	}
}

func unquote(text string) string {
	if strings.HasPrefix(text, "'") {
		return strings.Trim(text, "'")
	}
	if s, err := strconv.Unquote(text); err == nil {
		return s
	}
	return strings.Trim(text, `"`)
}

// values returns the texts of a key in all tables with a name, each once.
func (c *config) values(table, key string) (list []string) {
	seen := map[string]bool{}
	add := func(text string) {
		if text = unquote(text); !seen[text] {
			seen[text] = true
			list = append(list, text)
		}
	}
	c.each(func(_ int, in, line string) bool {
		if in != table {
			return true
		}
		if m := textLine.FindStringSubmatch(line); m != nil && m[2] == key {
			add(m[3])
		} else if m := arrayLine.FindStringSubmatch(line); m != nil && m[1] == key {
			for _, text := range quoted.FindAllString(m[2], -1) {
				add(text)
			}
		}
		return true
	})
	return list
}

// value returns the first of values; "" if there is none.
func (c *config) value(table, key string) string {
	if list := c.values(table, key); len(list) > 0 {
		return list[0]
	}
	return ""
}

// variables returns all texts of [vars].
func (c *config) variables() map[string]string {
	all := map[string]string{}
	c.each(func(_ int, in, line string) bool {
		if m := textLine.FindStringSubmatch(line); m != nil && in == "vars" {
			all[m[2]] = unquote(m[3])
		}
		return true
	})
	return all
}

// Variables returns all texts of [vars] in the wrangler.toml of a folder.
func Variables(folder string) (map[string]string, error) {
	c, err := readConfig(filepath.Join(folder, "wrangler.toml"))
	if err != nil {
		return nil, err
	}
	return c.variables(), nil
}

// without reports whether a variable exists and is empty.
func (c *config) without(key string) bool {
	text, exists := c.variables()[key]
	return exists && text == ""
}

// remote returns an address of [vars], or "" if it is on this machine.
func (c *config) remote(key string) string {
	address := c.value("vars", key)
	if isLocal(address) {
		return ""
	}
	return address
}

// setVariable changes a text of [vars] in its line, or adds a line for it.
func (c *config) setVariable(key, value string) error {
	if strings.IndexFunc(value, unicode.IsControl) >= 0 {
		return fmt.Errorf("%s can't have control characters", key)
	}
	text := `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value) + `"`
	at, header := -1, -1
	c.each(func(i int, in, line string) bool {
		if in == "vars" && header < 0 {
			header = i
		}
		if m := textLine.FindStringSubmatch(line); m != nil && in == "vars" && m[2] == key {
			at = i
		}
		return at < 0
	})
	switch {
	case at >= 0:
		place := textLine.FindStringSubmatchIndex(c.lines[at])
		c.lines[at] = c.lines[at][:place[6]] + text + c.lines[at][place[7]:]
	case header >= 0:
		c.lines[header] += key + " = " + text + "\n"
	default:
		return errors.New(c.path + " has no [vars]")
	}
	return nil
}

// setWorkersDev sets whether the deployment has a name below workers.dev. It reports whether that changed the file.
func (c *config) setWorkersDev(on bool) bool {
	at, tables := -1, len(c.lines)
	c.each(func(i int, in, line string) bool {
		if in != "" {
			tables = i
			return false
		}
		if workersDevLine.MatchString(line) {
			at = i
		}
		return true
	})
	if at < 0 {
		if on { // wrangler's default
			return false
		}
		c.lines = slices.Insert(c.lines, tables, "workers_dev = false\n\n")
		return true
	}
	line := workersDevLine.ReplaceAllString(c.lines[at], "${1}"+strconv.FormatBool(on))
	changed := line != c.lines[at]
	c.lines[at] = line
	return changed
}

// write replaces the file atomically.
func (c *config) write() error {
	mode := os.FileMode(0o644)
	if info, err := os.Stat(c.path); err == nil {
		mode = info.Mode().Perm()
	}
	return replaceFile(c.path, strings.Join(c.lines, ""), mode)
}

func replaceFile(path, text string, mode os.FileMode) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".plaza-setup-*")
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}
