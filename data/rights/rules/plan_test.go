package rules_test

import (
	"testing"

	"plaza/data/rights/rules"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

func TestMain(m *testing.M) { stacktest.Main(m) }

// TestPlans checks the query plan of every statement of the package.
func TestPlans(t *testing.T) {
	const fifty = "the fifty rules of one place"
	const decisions, fromItsEnd = "the last 1,000 decisions", "the primary key from its end, that stops at LIMIT"
	storetest.CheckPlans(t, storetest.Plans{
		Assembled: rules.Assembled(),
		Fragments: []string{"hitThing", "logThing", "forgetLater", "listed", "saveColumns", "activeTexts", "postRows", "commentRows"},
		Exceptions: map[string]map[string]string{
			"ofCommunity": {"USE TEMP B-TREE FOR ORDER BY": fifty}, "ofSite": {"USE TEMP B-TREE FOR ORDER BY": fifty},
			"triedOfSite": {"SCAN x USING INDEX posts_site_new": storetest.FromItsFront}, "triedCommentsOfSite": {"SCAN x": fromItsEnd},
			"removedPosts": {"USE TEMP B-TREE FOR DISTINCT": decisions}, "removedComments": {"USE TEMP B-TREE FOR DISTINCT": decisions},
			"removedPostsOfSite": {"SCAN x": fromItsEnd, "USE TEMP B-TREE FOR DISTINCT": decisions}, "removedCommentsOfSite": {"SCAN x": fromItsEnd,
				"USE TEMP B-TREE FOR DISTINCT": decisions},
		},
	})
}
