package outbox_test

import (
	"testing"

	"plaza/test/storetest"
)

// TestPlans explains every statement of the package.
func TestPlans(t *testing.T) {
	storetest.CheckPlans(t, storetest.Plans{
		Exceptions: map[string]map[string]string{"dueWork": {"USE TEMP B-TREE FOR ORDER BY": storetest.FewRows}},
		Fragments:  []string{"leaveCopies", "dueOf"},
	})
}
