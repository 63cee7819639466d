package listings_test

import (
	"strings"
	"testing"

	"plaza/data/lists/listings"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

func TestMain(m *testing.M) { stacktest.Main(m) }

// TestPlans checks the query plan of every statement of the package.
func TestPlans(t *testing.T) {
	plans := storetest.Plans{
		Assembled: listings.Assembled(),
		Fragments: []string{"homeMine", "homeGiven", "homeTags", "homeTagsGiven", "frontSubscribed", "frontGiven", "timeSubscribed", "timeGiven",
			"frontShown", "timeShown", "homeShown", "walkedWith", "walkedIDs", "unseenElse", "unseenEnd", "tagsLooked", "tagsWanted"},
		Exceptions: map[string]map[string]string{
			"subscribedCommunities":          {"USE TEMP B-TREE FOR ORDER BY": "one member's subscriptions, shuffled"},
			"frontOfMember, unseen false":    {"USE TEMP B-TREE FOR ORDER BY": "one member's subscriptions, shuffled, and the next post of fifty"},
			"frontOfMember, unseen true":     {"USE TEMP B-TREE FOR ORDER BY": "one member's subscriptions, shuffled"},
			"byTimeOfMember f, unseen false": {"USE TEMP B-TREE FOR ORDER BY": "one member's subscriptions, shuffled"},
			"byTimeOfMember f, unseen true":  {"USE TEMP B-TREE FOR ORDER BY": "one member's subscriptions, shuffled"},
			"byTimeOfMember F, unseen false": {"USE TEMP B-TREE FOR ORDER BY": "one member's subscriptions, shuffled"},
			"byTimeOfMember F, unseen true":  {"USE TEMP B-TREE FOR ORDER BY": "one member's subscriptions, shuffled"},
			"frontOfGiven, unseen false":     {"USE TEMP B-TREE FOR ORDER BY": "the next post of each community that was given, fifty at most"},
		},
	}
	for name, sql := range plans.Assembled {
		if strings.HasPrefix(sql, "WITH wanted ") {
			plans.Exceptions[name] = map[string]string{"SCAN x": "posts of the site, of which LIMIT bounds how many",
				"USE TEMP B-TREE FOR ORDER BY": "posts of the tags, of which there are few"}
		}
	}
	storetest.CheckPlans(t, plans)
}
