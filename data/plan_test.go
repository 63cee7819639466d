package data_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data/storetest"
)

// TestPlans explains every statement of the package.
func TestPlans(t *testing.T) {
	storetest.CheckPlans(t, storetest.Plans{})
}

// TestEveryStatementIsExplained holds the packages below this one to a plan_test.go each, if they have statements.
func TestEveryStatementIsExplained(t *testing.T) {
	folders, err := os.ReadDir(".")
	require.NoError(t, err)
	explained := 0
	for _, f := range folders {
		switch name := f.Name(); {
		case !f.IsDir(), name == "hrana": // which knows no tables
			continue
		case name == "schema", name == "storetest": // no page waits for what these ask
			continue
		}
		statements := storetest.StatementsIn(t, f.Name())
		if len(statements) == 0 {
			continue
		}
		text, err := os.ReadFile(filepath.Join(f.Name(), "plan_test.go"))
		require.NoError(t, err, "data/%s has statements that no test explains", f.Name())
		require.Contains(t, string(text), "storetest.CheckPlans(")
		explained++
	}
	require.Greater(t, explained, 8)
}
