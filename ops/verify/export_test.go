package verify

import (
	"cmp"
	"fmt"
	"slices"
)

// WikiTogether is how many pages of communities are read together.
var WikiTogether = wikiTogether

// SetKarmaGroups changes into how many groups authors are put, until the function that it returns is called.
func SetKarmaGroups(n int64) (back func()) {
	was := karmaGroups
	karmaGroups = n
	return func() { karmaGroups = was }
}

// Statements are all statements of the package.
func Statements() map[string]string {
	all := map[string]string{
		"countRows": countRows, "namesOf": namesOf, "votesWithoutCase": votesWithoutCase, "countVote": countVote,
		"siteAndCommunities": siteAndCommunities, "storedKarma": page("author_karma", keysOf("author_id"), "x.posts", "x.comments"), "earnedBy": karmaTally.find, "repairKarma": karmaTally.repair,
		"markRepaired": markRepaired, "repairRating": repairRating, "repairCommunity": repairCommunity,
		"originals": originals, "crosspostTexts": crosspostTexts, "repairCrosspost": repairCrosspost,
		"hottestOf": hottestOf, "hottestOfSite": hottestOfSite, "hotNow": hotNow,
		"picturePage": picturePage, "pictureOf": pictureOf, "usesOf": usesOf, "usedSums": usedSums, "withoutRows": withoutRows,
		"bringRow": bringRow, "repairFacts": repairFacts, "repairSmall": repairSmall, "repairCheckAt": repairCheckAt, "beginDrop": beginDrop,
		"endDrop": endDrop, "forgetSum": forgetSum,
		"pictureSum": pictureTotals[1].whole().find, "repairPictureSum": pictureTotals[1].whole().repair[0],
	}
	list := slices.Concat(rowChecks(), wordings(true), pictureTotals[:1])
	for _, s := range searches {
		list = append(list, s.check())
		all["texts for "+s.table], all["texts again for "+s.table], all["words of "+s.table] = page(s.view, keysOf("id"), s.values()...),
			again(s.view, "id", s.values()...), s.having()
	}
	for n, c := range list {
		c = c.whole()
		all[fmt.Sprintf("check %d, of %s", n, c.table)] = c.find
		for m, statement := range c.repair {
			all[fmt.Sprintf("repair %d of check %d, of %s", m, n, c.table)] = statement
		}
	}
	for _, t := range tallies {
		all["tally of "+t.table], all["repairing "+t.table] = t.find, t.repair
	}
	for _, a := range []agreement{communityCopies, revocationCopies, ratings} {
		all["page of "+a.table], all["there of "+a.table] = a.page, a.there
	}
	for _, m := range mirrors {
		all["truth of "+m.table], all["mirror of "+m.table], all["inserting "+m.table], all["removing "+m.table] = cmp.Or(m.truth, m.there()), m.there(),
			m.insert, m.remove()
	}
	for _, c := range append([]nameCopy{authorOf("posts"), authorOf("comments"), avatarOf("posts"), avatarOf("comments")}, nameCopies...) {
		name := c.column + " of " + c.table
		all["page of "+name], all[name], all["repairing "+name] = page(c.table, keysOf(c.key), c.values()...),
			again(c.table, c.key, c.values()...), c.repair()
	}
	return all
}
