package listings_test

import (
	"testing"

	"plaza/data/listings"
	"plaza/data/storetest"
)

// TestPlans explains every statement of the package.
func TestPlans(t *testing.T) {
	storetest.CheckPlans(t, storetest.Plans{
		Assembled: listings.Assembled(),
		Fragments: []string{"homeMine", "homeGiven", "homeTags", "homeTagsGiven", "frontSubscribed", "frontGiven", "newSubscribed", "newGiven"},
		Exceptions: map[string]map[string]string{
			"subscribedCommunities": {"USE TEMP B-TREE FOR ORDER BY": "one member's subscriptions, shuffled"},
			"frontOfMember":         {"USE TEMP B-TREE FOR ORDER BY": "one member's subscriptions, shuffled, and the next post of fifty"},
			"newOfMember":           {"USE TEMP B-TREE FOR ORDER BY": "one member's subscriptions, shuffled"},
			"frontOfGiven":          {"USE TEMP B-TREE FOR ORDER BY": "the next post of each community that was given, fifty at most"},
		},
	})
}
