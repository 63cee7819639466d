package bans

// Assembled are the statements that functions assemble.
func Assembled() map[string]string {
	return map[string]string{"purgeEnded": purgeEnded, "logBans": logBans, "logUnbans": logUnbans, "logUnmutes": logUnmutes}
}
