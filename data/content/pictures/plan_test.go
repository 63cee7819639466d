package pictures_test

import (
	"testing"

	"plaza/data/content/pictures"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

func TestMain(m *testing.M) { stacktest.Main(m) }

// TestPlans checks the query plan of every statement of the package.
func TestPlans(t *testing.T) {
	storetest.CheckPlans(t, storetest.Plans{Fragments: []string{"listedColumns", "claimBegin", "factsBegin", "allowedBegin"}, Assembled: pictures.Assembled,
		Exceptions: map[string]map[string]string{"listedLike": {"USE TEMP B-TREE FOR ORDER BY": storetest.FewRows}}})
}
