package reports_test

import (
	"strings"
	"testing"

	"plaza/data/moderation/reports"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

func TestMain(m *testing.M) { stacktest.Main(m) }

// TestPlans checks the query plan of every statement of the package.
func TestPlans(t *testing.T) {
	all, merged := reports.Assembled()
	exceptions := map[string]map[string]string{"authorCases": {"USE TEMP B-TREE FOR ORDER BY": "251 cases at most"},
		"recountReasons": {"USE TEMP B-TREE FOR GROUP BY": "the reports of what is taken back"}}
	for name := range all {
		if strings.Contains(all[name], "rule_hits") {
			exceptions[name] = map[string]string{"USE TEMP B-TREE FOR DISTINCT": "200 titles of rules at most"}
		}
	}
	for _, name := range merged {
		exceptions[name]["USE TEMP B-TREE FOR ORDER BY"] = "a page of each community, of which the first are taken"
	}
	storetest.CheckPlans(t, storetest.Plans{
		Assembled:  all,
		Fragments:  []string{"reportValues", "itemColumns", "ofCommunity", "moderated", "anywhere", "decideItems", "reopen"},
		Exceptions: exceptions,
	})
}
