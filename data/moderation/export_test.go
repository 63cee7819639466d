package moderation

// Assembled are the statements that functions assemble.
func Assembled() map[string]string {
	return map[string]string{"logPosts": logPosts, "logComments": logComments, "logTitle": logTitle}
}
