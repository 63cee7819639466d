package bans

// PurgeEnded is for the test that explains it.
var PurgeEnded = purgeEnded
