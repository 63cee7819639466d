// Package rules keeps automatic rules and checks members' texts by them before they are stored. Moderators write rules for their community,
// and administrators for the site. A rule is data: conditions, which all have to hold, and actions. The verdict is stored in the
// transaction of the text.
//
// Begin with Rule (rule.go) and Store.Judge (judge.go). docs/inside/moderation.md says when a check costs a request.
package rules
