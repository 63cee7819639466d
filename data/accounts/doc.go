// Package accounts keeps who the members are: names, profiles, settings, whom a member follows or blocks, and who is an administrator. All
// of it is in the directory. Other databases have copies of blocks, names and avatars, because the statement that writes has to check or
// store them. The packages below keep credentials, sessions, suspensions and invitations.
//
// Begin with Store.FindViewer (viewer.go), the state that each page of a member reads. docs/inside/accounts.md says what a new name and a
// block change.
package accounts
