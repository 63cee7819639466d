package accounts_test

import (
	"testing"

	"plaza/data/accounts"
	"plaza/test/storetest"
)

// TestPlans checks the query plan of every statement of the package.
func TestPlans(t *testing.T) {
	storetest.CheckPlans(t, storetest.Plans{Assembled: accounts.Assembled(), Fragments: []string{"PersonColumns", "listedMember"}})
}
