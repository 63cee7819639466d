package verify

import (
	"cmp"
	"fmt"
	"slices"
)

// WikiTogether is how many rows of wiki_pages are read at once.
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
		"markRepaired": markRepaired, "repairKarmaCopy": repairKarmaCopy, "repairCommunity": repairCommunity,
		"originals": originals, "crosspostTexts": crosspostTexts, "repairCrosspost": repairCrosspost,
		"hottestOf": hottestOf, "hottestOfSite": hottestOfSite, "hotNow": hotNow,
		"picturePage": picturePage, "pictureOf": pictureOf, "usesOf": usesOf, "usedSums": usedSums, "withoutRows": withoutRows,
		"insertPicture": insertPicture, "repairFacts": repairFacts, "repairSmall": repairSmall, "repairCheckAt": repairCheckAt,
		"beginDrop": beginDrop, "endDrop": endDrop, "deletePicture": deletePicture,
		"pictureSum": pictureTotals[1].withDefaults().find, "repairPictureSum": pictureTotals[1].withDefaults().repair[0],
	}
	list := slices.Concat(rowChecks(), wordChecks(true), pictureTotals[:1])
	for _, s := range searchIndexes {
		list = append(list, s.check())
		all["texts for "+s.table], all["texts again for "+s.table], all["words of "+s.table] = page(s.view, keysOf("id"), s.values()...),
			pageOf(s.view, "id", s.values()...), s.matches()
	}
	for n, c := range list {
		c = c.withDefaults()
		all[fmt.Sprintf("check %d, of %s", n, c.table)] = c.find
		for m, statement := range c.repair {
			all[fmt.Sprintf("repair %d of check %d, of %s", m, n, c.table)] = statement
		}
	}
	for _, t := range tallies {
		all["tally of "+t.table], all["repairing "+t.table] = t.find, t.repair
	}
	for _, a := range []agreement{communityCopies, revocationCopies, karmaCopies} {
		all["page of "+a.table], all["there of "+a.table] = a.page, a.stored
	}
	for _, m := range mirrors {
		all["truth of "+m.table], all["mirror of "+m.table], all["inserting "+m.table], all["removing "+m.table] = cmp.Or(m.truth, m.stored()), m.stored(),
			m.insert, m.remove()
	}
	for _, c := range append([]nameCopy{authorOf("posts"), authorOf("comments"), avatarOf("posts"), avatarOf("comments")}, nameCopies...) {
		name := c.column + " of " + c.table
		all["page of "+name], all[name], all["repairing "+name] = page(c.table, keysOf(c.key), c.values()...),
			pageOf(c.table, c.key, c.values()...), c.repair()
	}
	return all
}
