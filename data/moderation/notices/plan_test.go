package notices_test

import (
	"testing"

	"plaza/test/storetest"
)

// TestPlans explains every statement of the package.
func TestPlans(t *testing.T) {
	storetest.CheckPlans(t, storetest.Plans{Exceptions: map[string]map[string]string{
		"add": {"SCAN n USING COVERING INDEX notices_unconfirmed": storetest.FromItsFront}}})
}
