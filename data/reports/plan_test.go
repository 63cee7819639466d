package reports_test

import (
	"testing"

	"plaza/data/storetest"
)

// TestPlans explains every statement of the package.
func TestPlans(t *testing.T) {
	sorted := map[string]string{"USE TEMP B-TREE FOR ORDER BY": "a page of each community, of which the first are taken"}
	storetest.CheckPlans(t, storetest.Plans{
		Fragments: []string{"reportValues", "itemColumns", "ofCommunity", "moderated", "anywhere", "settle"},
		Exceptions: map[string]map[string]string{"newestModerated": sorted, "mostModerated": sorted, "newestAnywhere": sorted, "mostAnywhere": sorted,
			"waitingItems": {"USE TEMP B-TREE FOR ORDER BY": "the reasons of one thing"}},
	})
}
