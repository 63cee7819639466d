package flair_test

import (
	"testing"

	"plaza/data/flair"
	"plaza/data/modlog"
	"plaza/data/storetest"
)

// TestPlans explains every statement of the package.
func TestPlans(t *testing.T) {
	storetest.CheckPlans(t, storetest.Plans{Fragments: []string{"setOf"}, Assembled: map[string]string{"saved": modlog.Guarded(flair.Unchanged)}})
}
