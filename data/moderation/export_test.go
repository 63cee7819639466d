package moderation

// Assembled are the statements that functions put together.
func Assembled() map[string]string {
	return map[string]string{"logPosts": logPosts, "logComments": logComments, "logTitle": logTitle}
}
