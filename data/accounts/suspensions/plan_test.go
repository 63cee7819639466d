package suspensions_test

import (
	"testing"

	"plaza/test/storetest"
)

// TestPlans explains every statement of the package.
func TestPlans(t *testing.T) {
	storetest.CheckPlans(t, storetest.Plans{Exceptions: map[string]map[string]string{"inviteTreesUnderWay": {"SCAN d": storetest.FromItsFront}}})
}
