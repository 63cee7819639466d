// Package communities keeps communities: founders, subscribers, moderators and settings, and lists of communities. All of it is in the
// directory. A community's shard has a copy of its row, with a revision, and counts its posts. The profile of a member is a community, too.
//
// Begin with Community (community.go), Store.Create (create.go) and Store.Invite (team.go). docs/inside/content.md says where a new
// community goes and why posts have no colour.
package communities
