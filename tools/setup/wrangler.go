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

	"github.com/BurntSushi/toml"
)

// config is wrangler.toml. Values are changed in their lines, so comments, order and everything else stay as people wrote them.
type config struct {
	path  string
	lines []string
}

// settings are what setup reads of wrangler.toml.
type settings struct {
	Name     string
	Vars     map[string]any
	Triggers struct{ Crons []string }
	Queues   struct {
		Producers []struct{ Queue string }
		Consumers []struct {
			Queue       string
			DeadLetters string `toml:"dead_letter_queue"`
		}
	}
	Buckets []struct {
		Name string `toml:"bucket_name"`
	} `toml:"r2_buckets"`
}

func readConfig(path string) (*config, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	c := &config{path: path, lines: strings.SplitAfter(string(b), "\n")}
	if _, err := toml.Decode(string(b), &settings{}); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}

// read returns what the file has now.
func (c *config) read() (s settings) {
	_, _ = toml.Decode(strings.Join(c.lines, ""), &s) // it was checked, and only values of lines have changed
	return s
}

// bucket is the name of the bucket of pictures, "" for none.
func (c *config) bucket() string {
	if list := c.read().Buckets; len(list) > 0 {
		return list[0].Name
	}
	return ""
}

// variables returns all texts of [vars].
func (c *config) variables() map[string]string {
	all := map[string]string{}
	for name, value := range c.read().Vars {
		if text, ok := value.(string); ok {
			all[name] = text
		}
	}
	return all
}

func (c *config) variable(name string) string { return c.variables()[name] }

// remote returns an address of [vars], or nothing where it is one of this machine.
func (c *config) remote(name string) string {
	address := c.variable(name)
	if isLocal(address) {
		return ""
	}
	return address
}

// isLocal tells whether an address is one of this machine, as in a wrangler.toml that nobody has changed.
func isLocal(address string) bool {
	return strings.HasPrefix(address, "http://127.0.0.1") || strings.HasPrefix(address, "http://localhost")
}

// Variables are all texts of [vars] in the wrangler.toml of a folder.
func Variables(folder string) (map[string]string, error) {
	c, err := readConfig(filepath.Join(folder, "wrangler.toml"))
	if err != nil {
		return nil, err
	}
	return c.variables(), nil
}

var (
	tableLine = regexp.MustCompile(`^\s*\[{1,2}\s*([A-Za-z0-9_.-]+)\s*\]{1,2}`)
	// A key, and as its value true, false, or a text in quotes of either kind.
	valueLine = regexp.MustCompile(`^\s*([A-Za-z0-9_-]+)\s*=\s*("(?:[^"\\]|\\.)*"|'[^']*'|true|false)`)
)

// find returns the line of a key, -1 for none, and the first line of its table and the one behind its last, -1 for none. What stands before
// all tables has the table "".
func (c *config) find(table, key string) (at, begin, end int) {
	at, begin, end = -1, -1, len(c.lines)
	if table == "" {
		begin = 0
	}
	for i, line := range c.lines {
		if m := tableLine.FindStringSubmatch(line); m != nil {
			if begin >= 0 {
				return at, begin, i
			}
			if m[1] == table {
				begin = i + 1
			}
		} else if m := valueLine.FindStringSubmatch(line); m != nil && m[1] == key && begin >= 0 {
			at = i
		}
	}
	return at, begin, end
}

// replace gives the key of a line another value. It is false if it has that value already.
func (c *config) replace(at int, value string) bool {
	before, place := c.lines[at], valueLine.FindStringSubmatchIndex(c.lines[at])
	c.lines[at] = before[:place[4]] + value + before[place[5]:]
	return c.lines[at] != before
}

// setVariable changes a text of [vars] in its line, or adds a line for it.
func (c *config) setVariable(key, value string) error {
	if strings.IndexFunc(value, unicode.IsControl) >= 0 {
		return fmt.Errorf("%s can't have control characters", key)
	}
	text := `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value) + `"`
	at, begin, _ := c.find("vars", key)
	switch {
	case at >= 0:
		c.replace(at, text)
	case begin >= 0:
		c.lines = slices.Insert(c.lines, begin, key+" = "+text+"\n")
	default:
		return errors.New(c.path + " has no [vars]")
	}
	return nil
}

// setWorkersDev sets whether the deployment has a name below workers.dev. It returns false if the file is the same already.
func (c *config) setWorkersDev(on bool) bool {
	at, _, end := c.find("", "workers_dev")
	switch {
	case at >= 0:
		return c.replace(at, strconv.FormatBool(on))
	case on: // as wrangler does without a word
		return false
	}
	c.lines = slices.Insert(c.lines, end, "workers_dev = false\n\n")
	return true
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
