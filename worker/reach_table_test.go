package worker_test

import (
	"go/ast"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/test/storetest"
)

// reachTable is the kinds in the first column of the tables of a section of docs/reach.md.
func reachTable(t *testing.T, section string) map[string]bool {
	t.Helper()
	text, err := os.ReadFile("../docs/reach.md")
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(text), "\n## "+section+"\n")
	require.True(t, found, section)
	rest, _, _ = strings.Cut(rest, "\n## ")
	kinds := map[string]bool{}
	for line := range strings.Lines(rest) {
		if !strings.HasPrefix(line, "| `") {
			continue
		}
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), " | ")
		require.Len(t, cells, 5, line)
		for _, cell := range cells {
			require.NotEmpty(t, strings.TrimSpace(cell), line)
		}
		for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cells[0], -1) {
			kinds[m[1]] = true
		}
	}
	return kinds
}

// constantsOf are the values of all constants of a type.
func constantsOf(t *testing.T, name string) map[string]bool {
	t.Helper()
	values := map[string]bool{}
	storetest.GoFiles(t, func(_, _ string, file *ast.File) {
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok {
				return true
			}
			of := ""
			switch typ := spec.Type.(type) {
			case *ast.Ident:
				of = typ.Name
			case *ast.SelectorExpr:
				of = typ.X.(*ast.Ident).Name + "." + typ.Sel.Name
			}
			for _, v := range spec.Values {
				if lit, ok := v.(*ast.BasicLit); ok && of == name {
					text, err := strconv.Unquote(lit.Value)
					require.NoError(t, err)
					values[text] = true
				}
			}
			return true
		})
	})
	require.NotEmpty(t, values, name)
	return values
}

// TestReachTable compares docs/reach.md with every kind of inbox entry and event, and every mail.
func TestReachTable(t *testing.T) {
	t.Parallel()
	schema, err := os.ReadFile("../schema.sql")
	require.NoError(t, err)
	triggers, err := os.ReadFile("../triggers.sql")
	require.NoError(t, err)
	quoted := func(list string) (values []string) {
		for _, m := range regexp.MustCompile(`'([^']+)'`).FindAllStringSubmatch(list, -1) {
			values = append(values, m[1])
		}
		require.NotEmpty(t, values, list)
		return values
	}

	t.Run("of the inbox", func(t *testing.T) {
		want := constantsOf(t, "Event")
		kinds := regexp.MustCompile(`CREATE TABLE IF NOT EXISTS inbox \([^;]*?CHECK \(kind IN \(([^)]*)\)`).FindSubmatch(schema)
		actions := regexp.MustCompile(`(?s)moderation_log_notified AFTER INSERT ON moderation_log\s+WHEN new.action IN \(([^)]*)\)`).
			FindSubmatch(triggers)
		require.NotNil(t, kinds)
		require.NotNil(t, actions)
		for _, kind := range append(quoted(string(kinds[1])), quoted(string(actions[1]))...) {
			want[kind] = true
		}
		require.Equal(t, slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(reachTable(t, "The inbox"))))
	})
	t.Run("of mails", func(t *testing.T) {
		want := constantsOf(t, "mails.Kind")
		require.Equal(t, slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(reachTable(t, "Mails"))))
	})
	t.Run("nothing else writes into inboxes, leaves mails or pushes", func(t *testing.T) {
		known := map[string][]string{
			"INSERT INTO inbox ": {"data/events/inbox/decided.go", "data/events/inbox/event.go", "data/events/inbox/notify.go",
				"data/events/inbox/quarantined.go",
				"data/moderation/modmail/say.go"},
			"INSERT INTO pushes ":                nil, // the trigger inbox_pushed
			"INSERT INTO mails ":                 {"data/events/mails/mails.go"},
			"INSERT INTO moderator_invitations ": {"data/content/communities/team.go"},
		}
		found := map[string][]string{}
		storetest.GoFiles(t, func(path, text string, _ *ast.File) {
			for what := range known {
				if strings.Contains(text, what) {
					found[what] = append(found[what], path)
				}
			}
		})
		for what, files := range known {
			require.ElementsMatch(t, files, found[what], what)
		}
		require.Equal(t, 1, strings.Count(string(triggers), "INSERT INTO pushes "))
		require.Equal(t, 1, strings.Count(string(triggers), "INSERT INTO inbox "), "inbox_last_gone keeps an id, for no member")
	})
}
