package flair_test

import (
	"testing"

	"plaza/data/content/flair"
	"plaza/data/events/modlog"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

func TestMain(m *testing.M) { stacktest.Main(m) }

// TestPlans checks the query plan of every statement of the package.
func TestPlans(t *testing.T) {
	storetest.CheckPlans(t, storetest.Plans{Fragments: []string{"setOf"},
		Assembled: map[string]string{"saved": modlog.Guarded(flair.Unchanged), "logGiven": flair.LogGiven, "logGift": flair.LogGift}})
}
