package pictureblocks_test

import (
	"testing"

	"plaza/data/moderation/pictureblocks"
	"plaza/test/storetest"
)

// TestPlans explains every statement of the package.
func TestPlans(t *testing.T) {
	storetest.CheckPlans(t, storetest.Plans{Fragments: []string{"blocksOf", "insertBlocks", "listed"}, Assembled: pictureblocks.Assembled})
}
