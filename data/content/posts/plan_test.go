package posts_test

import (
	"testing"

	"plaza/data/storetest"
)

// TestPlans explains every statement of the package.
func TestPlans(t *testing.T) {
	storetest.CheckPlans(t, storetest.Plans{})
}
