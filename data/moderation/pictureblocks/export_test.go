package pictureblocks

// Assembled are the statements that are assembled when the package starts, for the test of query plans.
var Assembled = map[string]string{"logAdded": logAdded, "logRemovedThere": logRemovedThere, "logRemovedSite": logRemovedSite,
	"similarSums": similarSums}
