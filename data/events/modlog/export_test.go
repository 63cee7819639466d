package modlog

var Notified = notified
