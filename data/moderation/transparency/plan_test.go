package transparency_test

import (
	"testing"

	"plaza/test/storetest"
)

// TestPlans explains every statement of the package.
func TestPlans(t *testing.T) {
	storetest.CheckPlans(t, storetest.Plans{
		Fragments: []string{"counting", "item"},
		Exceptions: map[string]map[string]string{"touched": {"USE TEMP B-TREE FOR DISTINCT": "a few half-years"},
			"Miscounted": {"USE TEMP B-TREE FOR GROUP BY": "kinds, grounds and ways of being found"}},
	})
}
