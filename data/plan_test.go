package data_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/test/stacktest"
	"plaza/test/storetest"
)

func TestMain(m *testing.M) { stacktest.Main(m) }

// TestPlans explains every statement of the package.
func TestPlans(t *testing.T) {
	storetest.CheckPlans(t, storetest.Plans{Exceptions: map[string]map[string]string{
		"endOfPage": {"SCAN page": storetest.FewRows, "USE TEMP B-TREE FOR ORDER BY": storetest.FewRows},
		"purgeMade": {"SCAN page": storetest.FewRows},
	}})
}

// TestEveryStatementIsExplained holds the packages below this one to a plan_test.go each, if they have statements.
func TestEveryStatementIsExplained(t *testing.T) {
	explained := 0
	require.NoError(t, filepath.WalkDir(".", func(folder string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil || !entry.IsDir() || folder == ".":
			return err
		case folder == "wire/hrana": // which knows no tables
			return fs.SkipDir
		case folder == "schema", folder == "storetest": // no page waits for what these ask
			return fs.SkipDir
		}
		statements := storetest.StatementsIn(t, folder)
		if len(statements) == 0 {
			return nil
		}
		text, err := os.ReadFile(filepath.Join(folder, "plan_test.go"))
		require.NoError(t, err, "data/%s has statements that no test explains", folder)
		require.Contains(t, string(text), "storetest.CheckPlans(")
		explained++
		return nil
	}))
	require.Greater(t, explained, 30)
}
