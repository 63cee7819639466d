package tags_test

import (
	"testing"

	"plaza/test/storetest"
)

// TestPlans explains every statement of the package.
func TestPlans(t *testing.T) {
	storetest.CheckPlans(t, storetest.Plans{Exceptions: map[string]map[string]string{
		"trending": {"SCAN n USING INDEX tag_keys_heat": storetest.FromItsFront}}})
}
