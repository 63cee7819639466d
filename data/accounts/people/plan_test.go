package people_test

import (
	"testing"

	"plaza/data/storetest"
)

// TestPlans explains every statement of the package.
func TestPlans(t *testing.T) {
	storetest.CheckPlans(t, storetest.Plans{
		Fragments:  []string{"PersonColumns", "listedMember", "below"},
		Exceptions: map[string]map[string]string{"branchesUnderWay": {"SCAN d": storetest.FromItsFront}},
	})
}
