// Package account answers what concerns a member's own account: signing up, logging in, second steps, settings, tokens, leaving. All ways
// of logging in end in enter, which begins the session, or in signedIn, which asks for the second step before. Accounts themselves are of
// package data/accounts and those below it.
//
// # Mailed links
//
// Mailed links (data/accounts/credentials/mail_link.go, mail_link.go) confirm an address, log in, set a new password, or reauthenticate.
// The token in a link is an HMAC of the mail's id. So the same mail, sent again, has the same link, and the database keeps the token's hash
// alone. mail_links also has users.credentials of that moment, a counter of the changes of password and address: after a change, older
// links are void. A mail to an address that is not confirmed yet carries the counter from when it was left: sent late, after another
// change, it has no link. A link works once, for half an hour (a confirmation for a day). Opening it shows a page with a button, so
// programs that look at links in mails use nothing up. The page that asked for a link keeps what a visitor has written: once the link has
// logged them in, in another tab, they go on in the first one (/login/continue; with JavaScript it goes on by itself). Mails are counted
// for the name or address in two ways, as guesses are: one network may ask for fewer than all together. And each mailbox gets only so many
// in a day (worker/request/mail_bound.go; the table is in docs/operations.md). Those are counted by the consumer, in the mail's own row. So
// the page doesn't show whether a mail went out, and a mail that is tried again counts once.
//
// # Reauthentication
//
// Reauthentication (reauth.go). Routes by which somebody could take an account away from its member have the access reauthenticated: they
// need a session whose id was made in the last 15 minutes. /prove asks for the password, a passkey, a mailed link or a login at a provider,
// and then for the second step if the member has one and logging in that way asks for it. Then the session goes on under a new id, which
// has the time of the reauthentication. A copy of the earlier cookie is void. A new password ends all sessions of the member, in every
// database, by the same row of revocations as a suspension, and begins another one for whoever changed it. Members who have another way to
// log in may remove their password.
//
// # Challenges
//
// Passkeys sign a challenge (challenge.go). Challenges are random bytes with an expiry of five minutes and the site's signature over both,
// the purpose and the browser's own cookie. Nothing is stored until one is answered. Then it goes into the table spent in the transaction
// that acts on the answer, so it is taken once, also when hrana sends that transaction again: the row names the request that spent it.
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
// Package worker/oidc finds out who somebody is at another site. provider_test.go runs npm's real oidc-provider, behind a proxy that
// falsifies its answers.
//
//   - /auth/{provider} is a link and not a form, because the policy form-action 'self' would stop a form that leads elsewhere. It gives the
//     browser a signed cookie with state, nonce and verifier (worker/request/signed_cookie.go). The callback takes it away and puts the
//     state into spent.
//   - An identity is an issuer and a subject (identities). An identity that belongs to no account here leads to /auth/new: a visitor
//     chooses a name there, and a member is asked whether to add the identity. That question is a form of this site, so no other site can
//     have an identity added to a member's account.
//   - Equal email addresses join no accounts, because a provider may let people write any address.
//   - What a visitor has written stays in its tab: from a login page that carries a form, the link to a provider opens another tab, and the
//     first one goes on by /login/continue, as after a mailed link.
//
// # The second step
//
// After a password or a mailed link, members who have an authenticator app are asked for its code (second_step.go). Until then there is no
// session: a signed cookie says who it is and for how long, and the page carries what was written. signedIn asks, enter begins the session
// without asking: after a passkey that has verified its owner, and after a provider, which has its own second steps. A code is accepted up
// to 30 seconds before and after its own 30 seconds, and only once (spent). Tries of codes are limited for the account, over all networks.
// Reauthentication (/prove) asks for the second step in the same cases (firstReauthStep); there a signed cookie names the session that has
// given the first step. Turning the second step off, also to use another app, and making new recovery codes ask for one more code.
//
// # SendNotices by mail
//
// A change of the ways to log in to an account leaves a mail to the member in its own transaction, if it has written a row. That goes for
// the password, the address (the mail goes to the earlier one), passkeys, the authenticator app and its recovery codes, accounts at other
// sites, and tokens (sessions.LeaveMethodChanged, signin_method_mail.go).
package account
