package data_test

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/test/stacktest"
	"plaza/test/storetest"
)

func TestMain(m *testing.M) { stacktest.Main(m) }

// plans are the arguments of CheckPlansIn for the statements of this package and those below it. Packages that assemble statements at run
// time have their own plan_test.go.
var plans = map[string]storetest.Plans{
	".": {Exceptions: map[string]map[string]string{
		"endOfPage": {"SCAN page": storetest.FewRows, "USE TEMP B-TREE FOR ORDER BY": storetest.FewRows},
		"purgeKeys": {"SCAN page": storetest.FewRows},
	}},
	"accounts/deletion": {Exceptions: map[string]map[string]string{
		"heirsOf": {"USE TEMP B-TREE FOR ORDER BY": "the moderators of one community, 50 at most"},
	}},
	"accounts/invitations": {Fragments: []string{"Below"}},
	"accounts/suspensions": {Exceptions: map[string]map[string]string{"inviteTreesUnderWay": {"SCAN d": storetest.FromItsFront}}},
	"content/tags": {Exceptions: map[string]map[string]string{
		"trending": {"SCAN n USING INDEX tag_keys_heat": storetest.FromItsFront}}},
	"content/votes": {
		Fragments: []string{"caseColumns", "castVotes"},
		Exceptions: map[string]map[string]string{
			"addPostKarma":     {"USE TEMP B-TREE FOR GROUP BY": storetest.OfABatch},
			"addCommentKarma":  {"USE TEMP B-TREE FOR GROUP BY": storetest.OfABatch},
			"markPostKarma":    {"USE TEMP B-TREE FOR GROUP BY": storetest.OfABatch},
			"markCommentKarma": {"USE TEMP B-TREE FOR GROUP BY": storetest.OfABatch},
			"addPostComments":  {"USE TEMP B-TREE FOR GROUP BY": "a post's ages, 300 at most"},
			"addReputation":    {"USE TEMP B-TREE FOR GROUP BY": storetest.OfABatch},
			"addToAncestors":   {"USE TEMP B-TREE FOR GROUP BY": storetest.OfABatch},
		},
	},
	"events/inbox": {Fragments: []string{"insertColumns", "itemColumns"}},
	"events/outbox": {
		Exceptions: map[string]map[string]string{"dueJobs": {"USE TEMP B-TREE FOR ORDER BY": storetest.FewRows}},
		Fragments:  []string{"enqueueCopies", "dueOf"},
	},
	"content/hot": {
		Exceptions: map[string]map[string]string{
			"hottestOfSite": {"SCAN p USING INDEX posts_site_hot": storetest.FromItsFront},
		},
	},
	"lists/editions": {
		Fragments: []string{"quoteColumns", "ofVisitor", "ofMember", "offered", "offeredBy", "sourcesOf", "takenBy"},
		Exceptions: map[string]map[string]string{
			"lastEditions": {"SCAN e": storetest.FromItsFront},
			"candidates":   {"SCAN h USING COVERING INDEX posts_site_hot": storetest.FromItsFront, "SCAN hottest": storetest.FewRows},
			"quotable":     {"SCAN q": storetest.FewRows},
			"nextMembers":  {"USE TEMP B-TREE FOR ORDER BY": storetest.FewRows},
		},
	},
	"moderation/modmail": {Fragments: []string{"lines", "found", "written"}},
	"moderation/transparency": {
		Fragments: []string{"counting", "item"},
		Exceptions: map[string]map[string]string{"touched": {"USE TEMP B-TREE FOR DISTINCT": "a few half-years"},
			"Miscounted": {"USE TEMP B-TREE FOR GROUP BY": "kinds, grounds and ways of being found"}},
	},
	"site/health": {
		Exceptions: map[string]map[string]string{
			"oldestVote":    {"SCAN vote_deltas": storetest.FromItsFront, "USE TEMP B-TREE FOR ORDER BY": storetest.FewRows},
			"oldestComment": {"SCAN count_deltas": storetest.FromItsFront, "USE TEMP B-TREE FOR ORDER BY": storetest.FewRows},
			"mostOverdue": {"SCAN outbox USING COVERING INDEX outbox_due": storetest.FromItsFront,
				"USE TEMP B-TREE FOR ORDER BY": storetest.FewRows},
			"countWaiting": {"SCAN vote_deltas": storetest.FromItsFront,
				"SCAN count_deltas": storetest.FromItsFront, "SCAN outbox": storetest.FromItsFront},
			"waitingDead": {"SCAN dead_letters USING INDEX dead_letters_waiting": storetest.FromItsFront},
		},
	},
}

// TestPlans explains every statement of this package and of those below it that have no plan_test.go.
func TestPlans(t *testing.T) {
	explained, left := 0, maps.Clone(plans)
	require.NoError(t, filepath.WalkDir(".", func(folder string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil || !entry.IsDir():
			return err
		case folder == "wire/hrana": // it has no tables
			return fs.SkipDir
		case folder == "schema", folder == "storetest": // no page waits for these
			return fs.SkipDir
		}
		if text, err := os.ReadFile(filepath.Join(folder, "plan_test.go")); err == nil && folder != "." {
			require.Contains(t, string(text), "storetest.CheckPlans(")
			explained++
		} else if _, named := left[folder]; named || len(storetest.StatementsIn(t, folder)) > 0 {
			t.Run(folder, func(t *testing.T) { storetest.CheckPlansIn(t, folder, plans[folder]) })
			delete(left, folder)
			explained++
		}
		return nil
	}))
	require.Empty(t, left, "no packages")
	require.Greater(t, explained, 30)
}
