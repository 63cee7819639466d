package exports_test

import (
	"testing"

	"plaza/test/storetest"
)

// TestPlans explains every statement of the package.
func TestPlans(t *testing.T) {
	exceptions := map[string]map[string]string{}
	for _, kind := range []string{"post", "draft", "comment", "removed", "vote", "save", "hide", "visit", "follow", "join", "watch", "report",
		"accuse", "message", "conversation", "contact", "flair"} {
		const few = "the rows of a few parts, which an index has found and LIMIT bounds"
		exceptions[kind+"Parts"] = map[string]string{"USE TEMP B-TREE FOR GROUP BY": few}
		exceptions[kind+"Rows"] = map[string]string{"USE TEMP B-TREE FOR ORDER BY": few}
	}
	storetest.CheckPlans(t, storetest.Plans{Fragments: []string{"partsOf", "selected"}, Exceptions: exceptions})
}
