// Package accounts stores the members: their names, profiles, settings, follows and blocks, and who is an administrator. All of it is in
// the directory. Other databases have copies of blocks, names and avatars, because statements that write there check or store them. The
// packages below store credentials, sessions, suspensions and invitations.
//
// Begin with Store.FindViewer (viewer.go), the state that each page of a member reads. docs/inside/accounts.md says what a new name and a
// block change.
package accounts
