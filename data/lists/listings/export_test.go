package listings

import (
	"fmt"

	"plaza/data"
	"plaza/ranking"
)

// Assembled are the statements that are put together when they are sent.
func Assembled() map[string]string {
	all := map[string]string{
		"listByIDs": forMember.byIDs(), "listByIDs of a visitor": forVisitor.byIDs(),
	}
	for viewer, to := range map[string]reader{"": forMember, " of a visitor": forVisitor} {
		for name, whose := range map[string]scope{"community": {rows: fromPosts, condition: ofCommunity},
			"site": {rows: fromPosts, condition: ofSite}, "tags": {rows: fromTags, condition: ofTags}} {
			for _, order := range []data.Order{data.OrderHot, data.OrderNew, data.OrderRising, data.OrderTop, data.OrderControversial,
				data.OrderComments, data.OrderViews} {
				windows := []ranking.Window{""}
				if order.HasWindows() {
					windows = ranking.Windows()
				}
				for _, w := range windows {
					all[fmt.Sprintf("listing %c %s of %s%s", order, w, name, viewer)] = listingSQL(to, whose.rows, whose.condition, order, w)
				}
			}
		}
		for _, order := range []data.Order{data.OrderHot, data.OrderNew} {
			all[fmt.Sprintf("listing %c of a flair%s", order, viewer)] = listingSQL(to, fromPosts, ofFlair, order, "")
		}
		for _, w := range ranking.Windows() {
			all[fmt.Sprintf("listing t %s of a flair%s", w, viewer)] = listingSQL(to, fromPosts, ofFlair, data.OrderTop, w)
		}
		all["other discussions"+viewer] = listingSQL(to, fromPosts, ofThing, data.OrderNew, "")
		all["listing of an author"+viewer] = listingSQL(to, fromPosts, ofAuthor, data.OrderNew, noWindow)
		all["top of an author"+viewer] = listingSQL(to, fromPosts, ofAuthor, data.OrderTop, noWindow)
		all["views of an author"+viewer] = listingSQL(to, fromPosts, ofAuthor, data.OrderViews, noWindow)
	}
	all["rest of a listing"] = listingSQL(forMember, fromPosts, ofCommunity+notHidden, data.OrderTop, ranking.WindowDay)
	all["rest of the site's"] = listingSQL(forMember, fromPosts, ofSite+notHidden, data.OrderHot, "")
	all["rest of tags"] = listingSQL(forMember, fromTags, ofTags+notHidden+safeForWork, data.OrderTop, ranking.WindowAll)
	for _, unseen := range []bool{false, true} {
		name := fmt.Sprintf(", unseen %v", unseen)
		all["frontOfMember"+name], all["frontOfGiven"+name] = frontSQL(frontSubscribed, unseen), frontSQL(frontGiven, unseen)
		all["newOfMember"+name], all["newOfGiven"+name] = walkSQL(unseen, newSubscribed+newHeads, newMerged, newShown),
			walkSQL(unseen, newGiven+newHeads, newMerged, newShown)
		all["homeFiled"+name] = walkSQL(unseen, walkedWith, homeFiled, homeShown)
		all["homeOfMember"+name], all["homeOfGiven"+name] = walkSQL(unseen, homeMine+homeHeads, homeMerged, homeShown),
			walkSQL(unseen, homeGiven+homeHeads, homeMerged, homeShown)
		all["homeOfTags"+name], all["homeOfTagsGiven"+name] = walkSQL(unseen, homeTags+homeTagHeads, homeTagged, homeShown),
			walkSQL(unseen, homeTagsGiven+homeTagHeads, homeTagged, homeShown)
	}
	all["unseen of a community"] = unseenSQL(fromPosts, ofCommunity, data.OrderHot, "")
	all["unseen of tags"] = unseenSQL(fromTags, ofTags, data.OrderTop, ranking.WindowAll)
	return all
}
