package erase

// Assembled are the statements that functions assemble.
func Assembled() map[string]string {
	return map[string]string{"logPost": logPost, "logComment": logComment, "logWiki": logWiki, "logMessage": logMessage}
}

// Combinations is combinations.
var Combinations = combinations
