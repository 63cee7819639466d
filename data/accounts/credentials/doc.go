// Package credentials keeps what a member logs in with: the password, the email address, and links that are mailed to it. Passwords are
// stored as Argon2id hashes, and common ones are refused. Each attempt to log in costs one hash, whether or not the account exists. A new
// password ends all sessions of the member.
//
// Begin with Store.LogIn (signin.go), Store.ChangePassword (password_change.go) and Store.MakeLink (mail_link.go). docs/inside/accounts.md
// says how guessing is limited and which addresses count.
package credentials
