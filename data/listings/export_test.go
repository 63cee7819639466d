package listings

import (
	"fmt"

	"plaza/data"
	"plaza/ranking"
)

// Assembled are the statements that are put together when they are sent.
func Assembled() map[string]string {
	all := map[string]string{
		"listByIDs": selectPost.byIDs(), "listByIDs of a visitor": selectPostAnon.byIDs(),
	}
	for viewer, columns := range map[string]postSelect{"": selectPost, " of a visitor": selectPostAnon} {
		for scope, from := range map[string]string{"community": fromCommunity, "site": fromSite} {
			for _, order := range []data.Order{data.OrderHot, data.OrderNew, data.OrderRising, data.OrderTop, data.OrderControversial, data.OrderComments} {
				windows := []ranking.Window{""}
				if order.HasWindows() {
					windows = ranking.Windows()
				}
				for _, w := range windows {
					all[fmt.Sprintf("listing %c %s of %s%s", order, w, scope, viewer)] = listingSQL(columns, from, order, w)
				}
			}
		}
		all["rest of a listing"+viewer] = listingSQL(columns, fromCommunity+notHidden, data.OrderTop, ranking.WindowDay)
		all["rest of the site's"+viewer] = listingSQL(columns, fromSite+notHidden, data.OrderHot, "")
		all["other discussions"+viewer] = listingSQL(columns, fromSame, data.OrderNew, "")
		all["listing of an author"+viewer] = listingSQL(columns, fromAuthor, data.OrderNew, "")
	}
	return all
}
