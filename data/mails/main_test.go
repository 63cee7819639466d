package mails_test

import (
	"testing"

	"plaza/data/storetest"
	"plaza/stack/stacktest"
)

func TestMain(m *testing.M) { stacktest.Main(m) }

// TestPlans explains every statement of the package.
func TestPlans(t *testing.T) {
	storetest.CheckPlans(t, storetest.Plans{})
}
