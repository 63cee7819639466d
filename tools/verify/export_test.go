package verify

// WikiTogether is how many pages of communities are read together.
var WikiTogether = wikiPresent.size

// Statements are all statements of the package.
func Statements() map[string]string {
	all := map[string]string{
		"countRows": countRows, "namesOf": namesOf, "moderatorNames": moderatorNames, "mendModerator": mendModerator,
		"votesWithoutCase": votesWithoutCase, "countVote": countVote, "voteTargets": voteTargets,
		"standingPage": standingPage, "standingsOf": standingsOf, "mendStanding": mendStanding,
		"karmaPage": karmaPage, "earnedBy": earnedBy, "mendKarma": mendKarma, "markMended": markMended,
		"countsOf": countsOf, "mendCounts": mendCounts,
		"ratingPage": ratingPage, "ratingIn": ratingIn, "mendRating": mendRating,
		"communityPage": communityPage, "communityCopy": communityCopy, "mendCommunity": mendCommunity,
		"revocationPage": revocationPage, "revocationCopy": revocationCopy, "mendRevocation": mendRevocation,
		"originals": originals, "crosspostTexts": crosspostTexts, "mendCrosspost": mendCrosspost,
		"karmaNamePage": karmaNamePage, "loudFollows": loudFollows, "mendLoudFollow": mendLoudFollow, "mendLoudAuthor": mendLoudAuthor,
		"hottestOf": hottestOf, "hottestOfSite": hottestOfSite, "hotNow": hotNow, "communityNames": communityNames,
		"reasonsPage": reasonsPage, "forgetReasons": forgetReasons, "taggedPosts": taggedPosts, "mendTagKeys": mendTagKeys,
		"mendTags":  mendTags,
		"spellTags": spellTags, "followedTags": followedTags, "followSpelt": followSpelt, "dropSpelt": dropSpelt, "countReasons": countReasons,
		"picturePage": picturePage, "pictureOf": pictureOf, "usesOf": usesOf, "usedSums": usedSums, "havingRows": havingRows, "bringRow": bringRow,
		"mendFacts": mendFacts, "mendSmall": mendSmall, "mendCheckAt": mendCheckAt, "beginDrop": beginDrop, "endDrop": endDrop,
		"forgetSum": forgetSum, "pictureSum": pictureSum, "mendPictureSum": mendPictureSum,
	}
	for _, p := range pictureds {
		all["uses of "+p.kind], all["mending uses of "+p.kind] = p.find(), p.mend()
	}
	for _, c := range []check{pictureTotals, postCounters, commentCounters, followCounters, memberCounters, statistics, dayCounters, tagCounters,
		caseCounters, reportCounters, waitingCounters, wikiPresent} {
		all["check of "+c.table], all["mending "+c.table] = c.find(), c.mend()
	}
	for _, s := range strays {
		all["first "+s.table], all["next "+s.table], all["deleting "+s.table] = s.find(false), s.find(true), s.mend()
	}
	for _, d := range wordeds {
		all[d.words+" of "+d.table], all["mending "+d.words+" of "+d.table] = d.page(), d.mend()
	}
	for _, s := range searches {
		all["texts for "+s.table], all["texts again for "+s.table], all["words of "+s.table] = s.texts(), s.textsOf(), s.having()
		all["strays of "+s.table], all["removing from "+s.table], all["mending "+s.table] = s.stray(), s.mend()[0], s.mend()[1]
	}
	for _, m := range mirrors {
		all["truth of "+m.table], all["page of "+m.table], all["inserting "+m.table], all["removing "+m.table] = m.truth, m.there, m.insert,
			m.remove
	}
	for _, c := range []nameCopy{authorOf("posts"), authorOf("comments"), avatarOf("posts"), avatarOf("comments"), deciderOf, actorOf,
		karmaOf} {
		all[c.column+" of "+c.table], all["mending "+c.column+" of "+c.table] = c.again(), c.mend()
	}
	for _, d := range derivations {
		all["derived "+d.table], all["deriving "+d.table] = d.find(), d.mend()
	}
	return all
}
