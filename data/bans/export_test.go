package bans

const (
	ChangesBan = changesBan
	LiftsBan   = liftsBan
)
