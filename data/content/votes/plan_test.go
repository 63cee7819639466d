package votes_test

import (
	"testing"

	"plaza/test/storetest"
)

// TestPlans explains every statement of the package.
func TestPlans(t *testing.T) {
	storetest.CheckPlans(t, storetest.Plans{
		Fragments: []string{"caseColumns", "castVotes"},
		Exceptions: map[string]map[string]string{
			"foldPostKarma":    {"USE TEMP B-TREE FOR GROUP BY": storetest.OfABatch},
			"foldCommentKarma": {"USE TEMP B-TREE FOR GROUP BY": storetest.OfABatch},
			"markPostKarma":    {"USE TEMP B-TREE FOR GROUP BY": storetest.OfABatch},
			"markCommentKarma": {"USE TEMP B-TREE FOR GROUP BY": storetest.OfABatch},
			"foldStandings":    {"USE TEMP B-TREE FOR GROUP BY": storetest.OfABatch},
			"foldAncestors":    {"USE TEMP B-TREE FOR GROUP BY": storetest.OfABatch},
		},
	})
}
