package threads_test

import (
	"testing"

	"plaza/data/content/threads"
	"plaza/data/storetest"
)

// TestPlans explains every statement of the package.
func TestPlans(t *testing.T) {
	storetest.CheckPlans(t, storetest.Plans{
		Assembled: threads.Assembled(),
		Fragments: []string{"sourceColumns", "pageBegin", "pageSiblings", "pageReplies", "pageRows", "ofAuthorMember", "ofAuthorVisitor"},
	})
}
