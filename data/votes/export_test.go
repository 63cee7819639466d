package votes

import "plaza/data/communities"

// BrigadeSQL are the statements that find, hold and decide brigades.
var BrigadeSQL = map[string]string{
	"crowded": crowdedTargets, "burst": burstBallots, "counted": countedBallots, "releases": releases,
	"open": openQuarantine, "join": joinQuarantine, "hold": holdVotes, "count": countQuarantine, "purge": purgeBallots,
	"waiting": openQuarantines, "decided": decidedQuarantines, "decide votes": decideVotes, "decide case": decideCase,
	"undo votes": undoVotes, "undo case": undoCase, "newest": newestQuarantines, "communities": communityCases, "may": communities.MayModerate, "case": decidedCase, "history": votersOfTarget,
}
