// Package account has the handlers for a member's own account: signing up, logging in, second steps, settings, tokens, deletion. All
// sign-in methods end in enter or signedIn. enter begins the session. signedIn asks for the second step first. Accounts are stored by
// data/accounts and the packages below it.
//
// # Mailed links
//
// Mailed links (data/accounts/credentials/mail_link.go, mail_link.go) confirm an address, log in, set a new password, or reauthenticate.
// The token in a link is an HMAC of the mail's id. So the same mail, sent again, has the same link, and the database keeps only the token's
// hash. users.credentials counts the changes of password and address. mail_links has its value of that moment: after a change, older links
// are invalid. A mail to an unconfirmed address carries the value from when it was left. If it is sent after another change, it has no
// link. A link works once, for half an hour (a confirmation for a day). Opening it shows a page with a button, so programs that open links
// in mails don't use it up. The page that requested the link keeps a visitor's text. After the link has logged the visitor in, in another
// tab, they continue in the first tab (/login/continue; with JavaScript this happens by itself). Mails for a name or address have two
// limits, like password guesses: one network may request fewer than all networks together. Each mailbox also has a limit a day
// (worker/request/mail_bound.go; the table is in docs/operations/mail.md). The consumer counts that one, in the mail's own row. So the page
// doesn't show whether a mail went out, and a mail that is tried again counts once.
//
// # Reauthentication
//
// Reauthentication (reauth.go). Routes that could let an attacker take over an account have the access reauthenticated. They need a session
// whose id was made in the last 15 minutes. /prove asks for the password, a passkey, a mailed link or a login at a provider. Then it asks
// for the second step, if the member has one and that sign-in method requires it. The session goes on under a new id, which has the time of
// the reauthentication. Copies of the earlier cookie are invalid. A new password ends all sessions of the member, in every database, by the
// same row of revocations as a suspension. The user who changed it gets a new session. Members who have another sign-in method may remove
// their password.
//
// # Challenges
//
// Passkeys sign a challenge (challenge.go). Challenges are random bytes with an expiry of five minutes and the site's signature over both,
// the purpose and the browser's own cookie. Nothing is stored until a response arrives. The transaction that acts on the response writes
// the challenge into the table spent, so it is accepted once. The row names the request that used it, so hrana can send that transaction
// again.
//
// # Passkeys
//
// Passkeys are discoverable, so nobody types a name: the browser offers them in the field for the username, and there is a button.
// web/passkey.js is on the pages that have one. Password managers may answer the offer by themselves. So after a refused passkey the login
// page makes no offer: the cookie __Host-unasked keeps that for an hour, or until a login in this browser (passkey_offer.go). The button
// still works.
//
// # Accounts at other sites
//
// Package worker/oidc handles the login at the other site. provider_test.go runs npm's real oidc-provider, behind a proxy that falsifies
// its responses.
//
//   - /auth/{provider} is a link and not a form, because the policy form-action 'self' would stop a form that leads elsewhere. It gives the
//     browser a signed cookie with state, nonce and verifier (worker/request/signed_cookie.go). The callback takes it away and puts the
//     state into spent.
//   - An identity is an issuer and a subject (identities). An identity that belongs to no account here leads to /auth/new: a visitor
//     chooses a name there, and a member is asked whether to add the identity. That question is a form of this site, so no other site can
//     have an identity added to a member's account.
//   - Accounts are not joined by equal email addresses, because a provider may let users enter any address.
//   - A visitor's text stays in its tab. On a login page that carries a form, the link to a provider opens another tab. The first tab
//     continues by /login/continue, as after a mailed link.
//
// # The second step
//
// After a password or a mailed link, members who have an authenticator app are asked for its code (second_step.go). Until then there is no
// session. A signed cookie names the member and expires, and the page carries the typed text. signedIn asks for the second step. enter
// begins the session without it: after a passkey that has verified its owner, and after a provider, which has its own second steps. A code
// is accepted up to 30 seconds before and after its own 30 seconds, and only once (spent). Tries of codes are limited for the account, over
// all networks. Reauthentication (/prove) asks for the second step in the same cases (firstReauthStep); there a signed cookie names the
// session that has given the first step. Turning the second step off, also to use another app, and making new recovery codes ask for one
// more code.
//
// # Notices by mail
//
// A change of an account's sign-in methods leaves a mail to the member in its own transaction, if it has written a row. Sign-in methods are
// the password, the address (the mail goes to the earlier one), passkeys, the authenticator app and its recovery codes, accounts at other
// sites, and tokens (sessions.LeaveMethodChanged, signin_method_mail.go).
package account
