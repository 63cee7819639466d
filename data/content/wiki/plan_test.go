package wiki_test

import (
	"testing"

	"plaza/data/content/wiki"
	"plaza/data/events/modlog"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

func TestMain(m *testing.M) { stacktest.Main(m) }

// TestPlans checks the query plan of every statement of the package.
func TestPlans(t *testing.T) {
	storetest.CheckPlans(t, storetest.Plans{Assembled: map[string]string{"logged": modlog.Guarded(wiki.MayCreate), "logEdited": wiki.LogEdited,
		"logDeleted": wiki.LogDeleted},
		Exceptions: map[string]map[string]string{"addressesOf": {"SCAN c USING INDEX communities_members": storetest.FromItsFront}}})
}
