package moderation_test

import (
	"testing"

	"plaza/data/moderation"
	"plaza/test/storetest"
)

// TestPlans explains every statement of the package.
func TestPlans(t *testing.T) {
	storetest.CheckPlans(t, storetest.Plans{Assembled: moderation.Assembled()})
}
