package data_test

import (
	"go/ast"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/test/storetest"
)

// hiding are the functions that run statements on all shards, with the texts of these that leave out slots that a shard hides (data.Shown),
// or say which rows these are (data.Hidden). A function that puts its statements together has the conditions that it puts into them.
var hiding = map[string]string{
	"data.PurgeMade": "purgeMade",
	"data/accounts/exports.Places": "postKeys draftKeys commentKeys removedKeys voteKeys saveKeys hideKeys visitKeys reportKeys flairKeys banKeys " +
		"decisionKeys decidedKeys caseKeys noteKeys",
	"data/content/comments.FindByAuthor":    "hides",
	"data/content/communities.AgeWeeks":     "passPosts",
	"data/content/posts.AgePosts":           "agePosts",
	"data/content/posts.PublishDue":         "duePosts",
	"data/content/posts.PurgeDeletedDrafts": "purgeDeletedDrafts",
	"data/content/votes.FindOpenCases":      "newestCases communityCases",
	"data/content/votes.FindPending":        "pendingTargets pendingPosts",
	"data/content/votes.PurgeBallots":       "purgeBallots",
	"data/delivery/outbox.FindDue":          "dueOfIndex dueOnes ofSubjects",
	"data/lists/hot.readHottestOfSite":      "hottestOfSite",
	"data/lists/listings.FindHome":          "homeShown",
	"data/lists/listings.FindOwn":           "ownUnseen ownSeen",
	"data/lists/listings.findKept":          "savedPosts hiddenPosts",
	"data/lists/listings.findSorted":        "hides",
	"data/lists/listings.findTags":          "hides",
	"data/lists/saves.FindComments":         "savedComments",
	"data/lists/search.places":              "hides",
	"data/lists/sitemaps.FindPosts":         "postsOfPart",
	"data/lists/timelines.fill":             "newestOf",
	"data/lists/timelines.rebuild":          "newestOfAll",
	"data/lists/visits.Purge":               "purgeVisits",
	"data/moderation/bans.Purge":            "andShown",
	"data/moderation/reports.FindAll":       "hides",
	"data/moderation/reports.Purge":         "decidedLongAgo",
	"data/moderation/rules.Purge":           "purgeHits",
	"data/moderation/rules.Try":             "triedOfSite triedCommentsOfSite removedPostsOfSite removedCommentsOfSite",
	"data/moderation/rules.judge":           "authorFacts",
	"data/site.Count":                       "countShard",
	"data/site/health.Find":                 "oldestVote oldestComment mostOverdue",
	"data/site/health.FindWork":             "countWaiting",
}

// seeing are the other functions that name all shards or databases, with the reason why what they ask needs not leave out such slots.
var seeing = map[string]string{
	"data.Text":                                 "it asks nothing",
	"data/accounts.copyBlocks":                  ofMembers,
	"data/accounts.leaveBlocks":                 ofMembers,
	"data/accounts.copyName":                    bothCopies,
	"data/accounts.nameStep":                    bothCopies,
	"data/accounts.copySomeKarma":               ofShard,
	"data/accounts/credentials.passwordChanged": ofMembers,
	"data/accounts/deletion.step":               bothCopies,
	"data/accounts/deletion.written":            bothCopies,
	"data/accounts/sessions.LeaveRevoked":       ofMembers,
	"data/accounts/sessions.Copy":               ofMembers,
	"data/accounts/sessions.Purge":              ofMembers,
	"data/content/comments.FindKarma":           ofShard,
	"data/content/communities.Loads":            ofShard,
	"data/content/communities.findSlot":         "it counts shards",
	"data/content/communities.place":            "it counts shards",
	"data/content/communities.leaveCopy":        "it counts shards",
	"data/content/communities.leaveProfile":     "it counts shards",
	"data/content/communities.leaveSettings":    "it counts shards",
	"data/content/links.Claim":                  byIDs,
	"data/content/pictures.Erase":               ofShard,
	"data/content/pictures.Sweep":               ofShard,
	"data/content/pictures.FindUses":            "a use that two shards have is listed once",
	"data/content/pictures.used":                "a picture is used as long as one copy of a post uses it",
	"data/content/posts.Delete":                 "it counts shards",
	"data/content/posts.UpdateCopies":           bothCopies,
	"data/content/posts.others":                 "two shards say of a form that it has made the same post",
	"data/content/tags.find":                    ofShard,
	"data/content/votes.Cast":                   byIDs,
	"data/content/votes.Fold":                   byIDs,
	"data/delivery/inbox.Claim":                 byIDs,
	"data/delivery/inbox.done":                  byIDs,
	"data/delivery/inbox.eachClaimed":           "outbox.Claim leaves them out",
	"data/delivery/inbox.goOn":                  byIDs,
	"data/delivery/outbox.wait":                 "work that waits is due later, in both copies",
	"data/lists/listings.FindFront":             "it counts shards",
	"data/lists/listings.FindFrontByTime":       "it counts shards",
	"data/lists/search.CountCommon":             ofShard,
	"data/lists/search.Purge":                   "an index is written anew as a whole",
	"data/lists/sitemaps.FindDays":              ofShard,
	"data/lists/sitemaps.FindFilled":            "what one shard hides makes no part full that another one leaves empty: that shows it",
	"data/moderation.UpdateCrossposts":          bothCopies,
	"data/moderation/erase.Forget":              byIDs,
	"data/moderation/erase.eraseCrossposts":     "a crosspost that two shards have is erased once, on its shard",
	"data/moderation/erase.eraseThing":          "it counts shards",
	"data/moderation/pictureblocks.seek":        bothCopies,
	"data/moderation/reports.CopyCounts":        "the shard on which a community is counts",
	"data/moderation/reports.FindAuthors":       "it counts shards",
	"data/moderation/rules.Find":                ofShard,
	"data/moderation/transparency.Find":         ofShard,
	"data/moderation/transparency.Recount":      ofShard,
	"data/site.CopySettings":                    ofMembers,
}

const (
	byIDs     = "ids name their shard"
	ofMembers = "it is about tables whose rows belong to no slot"
	ofShard   = "a number or list of a whole shard, of which nobody knows the share of a slot; where it has copies it says too much for a while"
	// A shard refuses to write its copy after the switch (data.SlotClosed), so the work is not done before that copy is gone.
	bothCopies = "what it changes or takes away may stay in no copy: it writes both, in the same way, and is repeated while one refuses it"
)

// TestAllShardsHide holds each function that names all shards to one of the two lists. The texts of the first have data.Shown or data.Hidden.
// TestPagesWhileASlotMoves (package worker) looks at what pages show.
func TestAllShardsHide(t *testing.T) {
	found := map[string]bool{}
	storetest.GoFiles(t, func(name, _ string, file *ast.File) {
		folder := path.Dir(name)
		if folder != "data" && !strings.HasPrefix(folder, "data/") || folder == "test/storetest" {
			return
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			ast.Inspect(f, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok {
					if of, ok := call.Fun.(*ast.SelectorExpr); ok && (of.Sel.Name == "Shards" || of.Sel.Name == "Databases") {
						found[folder+"."+f.Name.Name] = true
					}
				}
				return true
			})
		}
	})
	known := maps.Clone(seeing)
	maps.Copy(known, hiding)
	require.Len(t, known, len(hiding)+len(seeing), "a function is on one of the lists")
	require.Equal(t, slices.Sorted(maps.Keys(known)), slices.Sorted(maps.Keys(found)),
		"does it show or do twice what two shards have while a slot moves? See data.Shown and data.Hidden")
	texts := map[string]map[string]string{}
	for function, names := range hiding {
		folder, _, _ := strings.Cut(function, ".")
		if texts[folder] == nil {
			texts[folder] = storetest.TextsIn(t, path.Join("..", folder))
		}
		for name := range strings.FieldsSeq(names) {
			text := texts[folder][name]
			assert.True(t, strings.Contains(text, data.Shown) || strings.Contains(text, data.Hidden), "%s of %s", name, folder)
		}
	}
}
