package reports_test

import (
	"testing"

	"plaza/data/moderation/reports"
	"plaza/data/storetest"
)

// TestPlans explains every statement of the package.
func TestPlans(t *testing.T) {
	all, merged := reports.Assembled()
	exceptions := map[string]map[string]string{"authorCases": {"USE TEMP B-TREE FOR ORDER BY": "251 cases at most"},
		"recountReasons": {"USE TEMP B-TREE FOR GROUP BY": "the reports of what is taken back"}}
	for _, name := range merged {
		exceptions[name] = map[string]string{"USE TEMP B-TREE FOR ORDER BY": "a page of each community, of which the first are taken"}
	}
	storetest.CheckPlans(t, storetest.Plans{
		Assembled:  all,
		Fragments:  []string{"reportValues", "itemColumns", "ofCommunity", "moderated", "anywhere", "settle", "reopen"},
		Exceptions: exceptions,
	})
}
