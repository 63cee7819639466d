// Package credentials keeps what a member logs in with: the password, the email address, and links that are mailed to it. Passwords are
// stored as Argon2id hashes, and common ones are refused. A new password ends all sessions of the member.
//
// # Logging in
//
// Each try costs one hash (signin.go), whether or not there is such an account. Tries are limited for the network. From networks where the
// member has not logged in before (sign_in_networks) they are also limited for the name that was typed (worker/request/limit_guess.go).
// Both are counted before the hash, and for names that no account has as well. So guessing from many networks ends after a few tries, and
// the member can still log in from home. One network has fewer tries than all networks together, so a stranger in one network can't use up
// the tries of a name. While Redis can't be reached, these limits and those of signing up are counted in the directory, in a fixed number
// of rows. Other limits are not counted then.
//
// New passwords are checked by password_rule.go; cmd/commonpasswords makes the list of common ones.
//
// # Hashes wait for each other
//
// While an instance makes a hash it can do nothing else. So one request hashes at a time (Store.hashing in password.go), and pauses before
// it does. In the pause, requests that wait for nothing but the processor go on. So others wait for one hash at most, however many log in
// at once.
//
// # At the same moment
//
// The time of a session (IssuedAt) is when the password was read that began it, not when the second step was done. So a password that is
// changed in between ends the session, although the session begins a moment after the change. A change of password ends all sessions in its
// transaction, and once more behind it, for those that were begun until the commit.
//
// # Addresses
//
// Any number of accounts may give the same address. It belongs to the first account that confirms it (unique index users_confirmed_email).
// Only a confirmed address logs somebody in and gets mail other than the confirmation. A change of address takes effect when the new
// address is confirmed. A mail tells the old address as soon as the change is asked for; until the confirmation, a new password still stops
// the change. Neither sign-up nor a form that asks for mail tells whether an address has an account: the form leaves the same row of mails
// for every name or address, and the consumer, for whom nobody waits, looks for the account (MakeLink). For the same reason, tries to log
// in by name and by address are counted apart, although both may mean the same account.
package credentials
