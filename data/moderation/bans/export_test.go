package bans

var (
	LogBans    = logBans
	LogUnbans  = logUnbans
	LogUnmutes = logUnmutes
)
