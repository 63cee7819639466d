package modlog_test

import (
	"testing"

	"plaza/data/events/modlog"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

func TestMain(m *testing.M) { stacktest.Main(m) }

// TestPlans checks the query plan of every statement of the package.
func TestPlans(t *testing.T) {
	storetest.CheckPlans(t, storetest.Plans{
		Fragments: []string{"insertInto"},
		Assembled: map[string]string{"guarded": modlog.Guarded("EXISTS (SELECT 1 FROM posts WHERE id = :post)")},
	})
}
