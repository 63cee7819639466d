package pictures

// Assembled are the statements that are put together when the package starts, for the test that explains them.
var Assembled = map[string]string{"similarOf": similarOf, "listedLike": listedLike}
