package exports_test

import (
	"strings"
	"testing"

	"plaza/data/accounts/exports"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

func TestMain(m *testing.M) { stacktest.Main(m) }

// TestPlans checks the query plan of every statement of the package.
func TestPlans(t *testing.T) {
	statements, exceptions := exports.Statements(), map[string]map[string]string{}
	for name := range statements {
		sorts := "USE TEMP B-TREE FOR ORDER BY"
		if strings.HasSuffix(name, ", parts") {
			sorts = "USE TEMP B-TREE FOR GROUP BY"
		}
		exceptions[name] = map[string]string{sorts: "the rows of a few parts, which an index has found and LIMIT bounds"}
	}
	storetest.CheckPlans(t, storetest.Plans{Assembled: statements, Fragments: []string{"partsOf", "selected"}, Exceptions: exceptions})
}
