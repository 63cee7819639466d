package data

import (
	"fmt"

	"plaza/ranking"
)

// AssembledStatements are the statements that are put together when they are sent; all
// others are constants, which the tests find by themselves.
func AssembledStatements() map[string]string {
	all := map[string]string{
		"listByIDs": selectPost.byIDs(), "listByIDs of a visitor": selectPostAnon.byIDs(),
	}
	for order, text := range threadStatements {
		all[fmt.Sprintf("thread by %c", order)], all[fmt.Sprintf("thread by %c of a visitor", order)] = text.mine, text.nobody
	}
	for order, from := range map[string]string{"members": listByMembers, "growth": listByGrowth, "age": listByAge} {
		all["communities by "+order] = itemColumns + itemMine + from
		all["communities by "+order+" for a visitor"] = itemColumns + itemNobody + from
	}
	for viewer, columns := range map[string]postSelect{"": selectPost, " of a visitor": selectPostAnon} {
		for scope, from := range map[string]string{"community": fromCommunity, "site": fromSite} {
			for _, order := range []Order{OrderHot, OrderNew, OrderRising, OrderTop, OrderControversial, OrderComments} {
				windows := []ranking.Window{""}
				if order.HasWindows() {
					windows = ranking.Windows()
				}
				for _, w := range windows {
					all[fmt.Sprintf("listing %c %s of %s%s", order, w, scope, viewer)] = listingSQL(columns, from, order, w)
				}
			}
		}
		all["rest of a listing"+viewer] = listingSQL(columns, fromCommunity+notHidden, OrderTop, ranking.WindowDay)
		all["rest of the site's"+viewer] = listingSQL(columns, fromSite+notHidden, OrderHot, "")
		all["other discussions"+viewer] = listingSQL(columns, fromSame, OrderNew, "")
		all["listing of an author"+viewer] = listingSQL(columns, fromAuthor, OrderNew, "")
	}
	return all
}

// NewIDOf makes an id as stores do.
func NewIDOf(s Source, kind Kind) ID { return s.NewID(0, kind) }
