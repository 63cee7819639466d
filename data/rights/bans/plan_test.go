package bans_test

import (
	"testing"

	"plaza/data/rights/bans"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

func TestMain(m *testing.M) { stacktest.Main(m) }

// TestPlans checks the query plan of every statement of the package.
func TestPlans(t *testing.T) {
	storetest.CheckPlans(t, storetest.Plans{
		Fragments: []string{"lineColumns", "memberColumns", "outcome"},
		Assembled: bans.Assembled(),
	})
}
