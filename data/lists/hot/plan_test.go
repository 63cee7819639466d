package hot_test

import (
	"testing"

	"plaza/test/storetest"
)

// TestPlans explains every statement of the package.
func TestPlans(t *testing.T) {
	storetest.CheckPlans(t, storetest.Plans{
		Exceptions: map[string]map[string]string{
			"hottestOfSite": {"SCAN p USING INDEX posts_site_hot": storetest.FromItsFront},
		},
	})
}
