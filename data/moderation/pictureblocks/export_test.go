package pictureblocks

// Assembled are the statements that are put together when the package starts, for the test that explains them.
var Assembled = map[string]string{"logAdded": logAdded, "logRemovedThere": logRemovedThere, "logRemovedSite": logRemovedSite,
	"likeSums": likeSums}
