package deletion_test

import (
	"testing"

	"plaza/test/storetest"
)

// TestPlans explains every statement of the package.
func TestPlans(t *testing.T) {
	storetest.CheckPlans(t, storetest.Plans{Exceptions: map[string]map[string]string{
		"heirsOf": {"USE TEMP B-TREE FOR ORDER BY": "the moderators of one community, 50 at most"},
	}})
}
