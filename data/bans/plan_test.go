package bans_test

import (
	"testing"

	"plaza/data/bans"
	"plaza/data/modlog"
	"plaza/data/storetest"
)

// TestPlans explains every statement of the package.
func TestPlans(t *testing.T) {
	storetest.CheckPlans(t, storetest.Plans{
		Fragments: []string{"lineColumns"},
		Assembled: map[string]string{"added": modlog.Guarded(bans.ChangesBan), "lifted": modlog.Guarded(bans.LiftsBan)},
	})
}
