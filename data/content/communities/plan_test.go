package communities_test

import (
	"testing"

	"plaza/data/content/communities"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

func TestMain(m *testing.M) { stacktest.Main(m) }

// TestPlans checks the query plan of every statement of the package.
func TestPlans(t *testing.T) {
	storetest.CheckPlans(t, storetest.Plans{
		Assembled: communities.Assembled(),
		Fragments: []string{"ItemColumns", "columnsToCopy"},
		Exceptions: map[string]map[string]string{
			"joinedOf":        {"USE TEMP B-TREE FOR ORDER BY": "the communities of one form"},
			"subtractMembers": {"USE TEMP B-TREE FOR GROUP BY": "the subscriptions of one step"},
			"subtractPosts":   {"USE TEMP B-TREE FOR GROUP BY": "the posts of one step"},
		},
	})
}
