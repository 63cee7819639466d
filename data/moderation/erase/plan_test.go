package erase_test

import (
	"testing"

	"plaza/data/moderation/erase"
	"plaza/test/storetest"
)

// TestPlans explains every statement of the package.
func TestPlans(t *testing.T) {
	storetest.CheckPlans(t, storetest.Plans{Assembled: erase.Assembled()})
}
