package listings

import (
	"fmt"

	"plaza/data"
	"plaza/ranking"
)

// Assembled are the statements that are assembled at run time.
func Assembled() map[string]string {
	all := map[string]string{
		"listByIDs": forMember.byIDs(), "listByIDs of a visitor": forVisitor.byIDs(),
	}
	for viewer, to := range map[string]reader{"": forMember, " of a visitor": forVisitor} {
		for name, whose := range map[string]scope{"community": {rows: fromPosts, condition: ofCommunity},
			"site": {rows: fromPosts, condition: ofSite}, "tags": {rows: fromTags, condition: ofTags}} {
			for _, named := range data.ListingOrders {
				order := named.Order
				for _, w := range WindowsOf(named) {
					sql := listingSQL(to, whose.rows, whose.condition, order, w)
					if q := (&Query{Tags: "x", Order: order}); name == "tags" && q.sortsTags() {
						sql = tagsSQL(to, true, "", order, w)
					}
					all[fmt.Sprintf("listing %c %s of %s%s", order, w, name, viewer)] = sql
				}
			}
		}
		for _, named := range data.ListingOrders {
			for _, w := range WindowsOf(named) {
				if named.Flair {
					all[fmt.Sprintf("listing %c %s of a flair%s", named.Order, w, viewer)] = listingSQL(to, fromPosts, ofFlair, named.Order, w)
				}
			}
		}
		for _, named := range data.ProfilePostOrders {
			all[fmt.Sprintf("listing %c of an author%s", named.Order, viewer)] = listingSQL(to, fromPosts, ofAuthor, named.Order, noWindow)
		}
		all["other discussions"+viewer] = listingSQL(to, fromPosts, ofThing, data.OrderNew, "")
	}
	all["rest of a listing"] = listingSQL(forMember, fromPosts, ofCommunity+notHidden, data.OrderTop, ranking.WindowDay)
	all["rest of the site's"] = listingSQL(forMember, fromPosts, ofSite+notHidden, data.OrderHot, "")
	all["rest of tags"] = tagsSQL(forMember, false, notHidden+safeForWork, data.OrderTop, ranking.WindowAll)
	for _, unseen := range []bool{false, true} {
		name := fmt.Sprintf(", unseen %v", unseen)
		all["frontOfMember"+name], all["frontOfGiven"+name] = frontSQL(frontSubscribed, unseen), frontSQL(frontGiven, unseen)
		for _, order := range []data.Order{data.OrderFrontNew, data.OrderFrontActive} {
			of := fmt.Sprintf("%c%s", order, name)
			all["byTimeOfMember "+of], all["byTimeOfGiven "+of] = timeSQL(order, timeSubscribed, unseen), timeSQL(order, timeGiven, unseen)
		}
		all["homeFiled"+name] = walkSQL(unseen, walkedWith, homeFiled, homeShown)
		all["homeOfMember"+name], all["homeOfGiven"+name] = walkSQL(unseen, homeMine+homeHeads, homeMerged, homeShown),
			walkSQL(unseen, homeGiven+homeHeads, homeMerged, homeShown)
		all["homeOfTags"+name], all["homeOfTagsGiven"+name] = walkSQL(unseen, homeTags+homeTagHeads, homeTagged, homeShown),
			walkSQL(unseen, homeTagsGiven+homeTagHeads, homeTagged, homeShown)
	}
	all["unseen of a community"] = unseenSQL(forMember, fromPosts, ofCommunity, data.OrderHot, "")
	all["unseen of tags"] = tagsSQL(forMember, true, tagsUnseen, data.OrderTop, ranking.WindowAll)
	all["unseen of tags, new"] = unseenSQL(forMember, fromTags, ofTags, data.OrderNew, "")
	return all
}

// TagBudget sets how many posts of tags are sorted, and how many posts of the site are read. It returns a function that restores the
// values.
func TagBudget(few, look int) func() {
	before := [2]int{tagsFew, tagsLook}
	tagsFew, tagsLook = few, look
	return func() { tagsFew, tagsLook = before[0], before[1] }
}

// WindowsOf returns the windows of an order; only the empty one if it has none.
func WindowsOf(order data.NamedOrder) []ranking.Window {
	if order.Windows {
		return ranking.Windows()
	}
	return []ranking.Window{""}
}
