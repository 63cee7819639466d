package health_test

import (
	"testing"

	"plaza/test/storetest"
)

// TestPlans explains every statement of the package.
func TestPlans(t *testing.T) {
	storetest.CheckPlans(t, storetest.Plans{
		Exceptions: map[string]map[string]string{
			"oldestVote":    {"SCAN vote_deltas": storetest.FromItsFront, "USE TEMP B-TREE FOR ORDER BY": storetest.FewRows},
			"oldestComment": {"SCAN count_deltas": storetest.FromItsFront, "USE TEMP B-TREE FOR ORDER BY": storetest.FewRows},
			"mostOverdue": {"SCAN outbox USING COVERING INDEX outbox_due": storetest.FromItsFront,
				"USE TEMP B-TREE FOR ORDER BY": storetest.FewRows},
			"countWaiting": {"SCAN vote_deltas": storetest.FromItsFront,
				"SCAN count_deltas": storetest.FromItsFront, "SCAN outbox": storetest.FromItsFront},
			"waitingDead": {"SCAN dead_letters USING INDEX dead_letters_waiting": storetest.FromItsFront},
		},
	})
}
