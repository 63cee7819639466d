// Package credentials keeps what a member logs in with: the password, the email address, and links that are mailed to it. Passwords are
// stored as Argon2id hashes, and common ones are refused. A new password ends all sessions of the member.
//
// # Logging in
//
// Each attempt costs one hash (signin.go), whether or not the account exists. Attempts are limited for each network. From networks where
// the member has not logged in before (sign_in_networks), they are also limited for the typed name (request.Server.LimitGuesses). Both
// limits are counted before the hash, and also for names that no account has. So guessing from many networks ends after a few attempts, and
// the member can still log in from home. One network has fewer attempts than all networks together, so a stranger in one network can't use
// up the attempts for a name. While Redis can't be reached, these limits and those of signing up are counted in the directory, in a fixed
// number of rows. Other limits are not counted then.
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
// The time of a session (IssuedAt) is the time when its password was read, not when the second step was done. So a change of password in
// between ends the session, although the session begins a moment after the change. A change of password ends all sessions in its
// transaction. It ends them once more after the commit, for the sessions that began meanwhile.
//
// # Addresses
//
// Any number of accounts may give the same address. It belongs to the first account that confirms it (unique index users_confirmed_email).
// A user can log in only by a confirmed address. An unconfirmed address gets no mail but the confirmation. A change of address takes effect
// when the new address is confirmed. A mail notifies the old address as soon as the change is requested. Until the confirmation, a new
// password still stops the change. Neither sign-up nor a form that requests mail shows whether an address has an account. The form leaves
// the same row of mails for every name or address. The consumer then looks for the account (MakeLink); no request waits for it, so its time
// shows nothing. For the same reason, logins by name and by address are counted apart, although both may mean the same account.
package credentials
