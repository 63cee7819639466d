package verify

// WikiTogether is how many pages of communities are read together.
var WikiTogether = wikiPresent.size

// Statements are all statements of the package.
func Statements() map[string]string {
	all := map[string]string{
		"countRows": countRows, "namesOf": namesOf, "moderatorNames": moderatorNames, "repairModerator": repairModerator,
		"votesWithoutCase": votesWithoutCase, "countVote": countVote, "voteTargets": voteTargets,
		"reputationPage": reputationPage, "reputationsOf": reputationsOf, "repairReputation": repairReputation,
		"karmaPage": karmaPage, "earnedBy": earnedBy, "repairKarma": repairKarma, "markRepaired": markRepaired,
		"countsOf": countsOf, "repairCounts": repairCounts,
		"ratingPage": ratingPage, "ratingIn": ratingIn, "repairRating": repairRating,
		"communityPage": communityPage, "communityCopy": communityCopy, "repairCommunity": repairCommunity,
		"revocationPage": revocationPage, "revocationCopy": revocationCopy, "repairRevocation": repairRevocation,
		"originals": originals, "crosspostTexts": crosspostTexts, "repairCrosspost": repairCrosspost,
		"karmaNamePage": karmaNamePage, "onReadFollows": onReadFollows, "repairOnReadFollow": repairOnReadFollow, "repairOnReadAuthor": repairOnReadAuthor,
		"hottestOf": hottestOf, "hottestOfSite": hottestOfSite, "hotNow": hotNow, "communityNames": communityNames,
		"reasonsPage": reasonsPage, "forgetReasons": forgetReasons, "taggedPosts": taggedPosts, "repairTagKeys": repairTagKeys,
		"repairTags": repairTags,
		"spellTags":  spellTags, "followedTags": followedTags, "followSpelt": followSpelt, "dropSpelt": dropSpelt, "countReasons": countReasons,
		"picturePage": picturePage, "pictureOf": pictureOf, "usesOf": usesOf, "usedSums": usedSums, "havingRows": havingRows, "bringRow": bringRow,
		"repairFacts": repairFacts, "repairSmall": repairSmall, "repairCheckAt": repairCheckAt, "beginDrop": beginDrop, "endDrop": endDrop,
		"forgetSum": forgetSum, "pictureSum": pictureSum, "repairPictureSum": repairPictureSum,
	}
	for _, p := range pictureds {
		all["uses of "+p.kind], all["repairing uses of "+p.kind] = p.find(), p.repair()
	}
	for _, c := range []check{pictureTotals, postCounters, commentCounters, followCounters, memberCounters, statistics, dayCounters, tagCounters,
		caseCounters, reportCounters, waitingCounters, wikiPresent} {
		all["check of "+c.table], all["repairing "+c.table] = c.find(), c.repair()
	}
	for _, s := range orphans {
		all["first "+s.table], all["next "+s.table], all["deleting "+s.table] = s.find(false), s.find(true), s.repair()
	}
	for _, d := range wordeds {
		all[d.words+" of "+d.table], all["repairing "+d.words+" of "+d.table] = d.page(), d.repair()
	}
	for _, s := range searches {
		all["texts for "+s.table], all["texts again for "+s.table], all["words of "+s.table] = s.texts(), s.textsOf(), s.having()
		all["orphans of "+s.table], all["removing from "+s.table], all["repairing "+s.table] = s.orphan(), s.repair()[0], s.repair()[1]
	}
	for _, m := range mirrors {
		all["truth of "+m.table], all["page of "+m.table], all["inserting "+m.table], all["removing "+m.table] = m.truth, m.there, m.insert,
			m.remove
	}
	for _, c := range []nameCopy{authorOf("posts"), authorOf("comments"), avatarOf("posts"), avatarOf("comments"), deciderOf, actorOf,
		karmaOf} {
		all[c.column+" of "+c.table], all["repairing "+c.column+" of "+c.table] = c.again(), c.repair()
	}
	for _, d := range derivations {
		all["derived "+d.table], all["deriving "+d.table] = d.find(), d.repair()
	}
	return all
}
