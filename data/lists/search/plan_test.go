package search_test

import (
	"testing"

	"plaza/data/lists/search"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

func TestMain(m *testing.M) { stacktest.Main(m) }

// TestPlans checks the query plan of every statement of the package.
func TestPlans(t *testing.T) {
	const ranks = "a bounded number of candidates"
	sorted := map[string]string{"USE TEMP B-TREE FOR ORDER BY": ranks}
	ranked := map[string]string{"USE TEMP B-TREE FOR ORDER BY": ranks, "USE TEMP B-TREE FOR GROUP BY": ranks}
	storetest.CheckPlans(t, storetest.Plans{
		Assembled: search.Assembled(),
		Fragments: []string{"foundCommunities", "foundPeople", "candidates", "postRows", "postRowsAnon", "commentRows",
			"commentRowsAnon", "commentColumns", "ofLatest", "asked", "weighing", "weighedTerms", "places", "lengths", "howMany", "mergePages"},
		Exceptions: map[string]map[string]string{
			"posts with one word": ranked, "weighedTerms": ranked, "posts by new": ranked, "comments by new": ranked,
			"posts by relevance": ranked, "comments by relevance": ranked, "posts by top": ranked, "comments by top": ranked,
			"searchCommunities": sorted, "searchCommunitiesAnon": sorted, "searchPeople": sorted, "searchPeopleAnon": sorted,
			"suggestPeople":      sorted,
			"suggestCommunities": {"USE TEMP B-TREE FOR ORDER BY": ranks, "SCAN b USING INDEX communities_members": storetest.FromItsFront},
		},
	})
}
