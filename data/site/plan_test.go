package site_test

import (
	"testing"

	"plaza/data"
	"plaza/data/events/modlog"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

func TestMain(m *testing.M) { stacktest.Main(m) }

// TestPlans checks the query plan of every statement of the package.
func TestPlans(t *testing.T) {
	storetest.CheckPlans(t, storetest.Plans{
		Fragments: []string{"messageColumns"},
		Exceptions: map[string]map[string]string{
			"send":       {"SCAN contact_messages USING INDEX contact_messages_open": storetest.FromItsFront},
			"countShard": {"SCAN queue_items USING COVERING INDEX queue_items_all_most": storetest.FromItsFront},
			"countDirectory": {"SCAN dead_letters USING INDEX dead_letters_waiting": storetest.FromItsFront,
				"SCAN contact_messages USING INDEX contact_messages_open": storetest.FromItsFront},
		},
		Assembled: map[string]string{"guarded": modlog.Guarded("coalesce((SELECT x.revision FROM site_settings x WHERE x.id = 1), 0) = :from " +
			"AND :body <> '' AND " + data.ByAdmin)},
	})
}
