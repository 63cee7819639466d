// Package request has what all requests share. A subject's handler is given a Call, and answers by the functions of this package:
//
//	server, call          the site, and one request on its way through it
//	route, limits, query  what a route is, how often it may be called, which parameters its page knows
//	middleware            what happens before a handler: session, token, guard, limit, headers,
//	                      trailing_slash, fresh_cookie
//	form                  reading forms; form_token, form_page, refuse, resume_form
//	answer                writing answers; frame, display, format, feed, error
//	links                 addresses
//	queue                 messages
//
// # Who may
//
// A route's access says who may call it (worker/routes.go). For moderators and administrators, Call.Read adds the check to the page's own
// request, and Call.Run refuses others. A write checks again in its own transaction. If moderators are stored in another database than
// votes, it checks just before (communities.Authorize). worker/routes_test.go sends a member without the right to every such route.
//
// # Sessions
//
// A session is a signed cookie (session.go), so the request's own work needs no look-up first. The table revocations ends sessions: it has
// a row for a session that was logged out, or for a user who was suspended, has a new password or logged out everywhere else. Every
// statement that writes carries LiveSession, two primary-key look-ups in the same transaction. Every page of a member reads it too, or uses
// what was read at most data.OwnLife ago (package data). So a copied cookie is worthless after the logout.
//
// # Three times are in a cookie
//
// The session's id is made when the member shows who they are: at each login, and at each reauthentication (Server.RenewSession), which
// ends the session under the old id. So an attacker who put a cookie into the browser, or copied it, gains nothing when its owner logs in.
// Revocations are compared with IssuedAt. The third time is the day of the last use.
//
// # Expiry
//
// A session ends 30 days after its last use and a year after its id was made. The first page that a member reads on a day (UTC) sends the
// cookie with that day. This costs one signature and no request, because the page has read anyway that the session is not revoked. The day
// is written into the list of sessions in the background, after the answer (useSession, Server.Background). A revoked session is not
// renewed, so a revocation is kept for 31 days and not for a year.
//
// # API tokens
//
// API tokens (token.go, data/accounts/sessions/token.go) work like sessions. A token is signed by the site and holds its member, its id,
// its scopes and its expiry. So no look-up has to come before the request's own: limits are counted for the member, and a write asks
// LiveSession with the token's id in place of the session's. Pages ask in their own request for the row of tokens as well, whose hash has
// to be that of the token. A row of revocations about a token, or about all that a member has, is kept for as long as a token lasts, a
// year; so a token that a suspension or a new password has ended never works again.
//
//   - The routes table has the scope that each route needs. Routes that need reauthentication, log in or administrate have no scope, so no
//     token can call them. A test checks the table for that.
//   - A token goes before a cookie: a session cookie that is sent with it is ignored, and a token that is not valid is answered 401, never
//     like a visitor.
//   - The origin of a request with a token is not checked, because another site can't make a browser send the token, as it can with
//     cookies. When a session cookie comes with the token, the request is from a browser, and the check is made.
//   - The edge cache treats Authorization like a member's cookie: what it answers is not stored, and comes from Go, pictures included.
//   - The day of the last use is written after an answer, once a day by each instance.
//
// # The list of sessions
//
// /settings/security shows the table sessions. A row there does not make a session valid; the list only lets members see and end theirs. A
// row is written by Server.StartSession, in which every way of logging in ends, before the cookie is sent. Should it be missing, the next
// day's use writes it. Only the day of the last use is kept, because more would tell when a member is awake. The network is a coarse one
// (IPv4 /24, IPv6 /48), as it was at the login. A hash would give away less but tell members nothing, while they may recognise the numbers
// of their internet provider. The network is deleted with the session. Ending one session asks first whether it is the member's own, since
// ids can be guessed. "Log out everywhere else" revokes all of the member's cookies by their user, also those that no list has, and issues
// this session's anew. It asks for no reauthentication: a member who finds a stranger in the list should not be held up, and a stranger who
// uses it gains nothing.
//
// # Choices
//
// A member's choices about reading (accounts.Choices) come with the state that every page of a member reads anyway (FindViewer). So theme,
// time zone and what becomes of posts that are not safe for work hold at once and cost no request. The default orders of communities and
// threads decide what the page asks for, and have to be known before. A device remembers them in the cookie __Host-orders; Call.Run
// compares it with the account. When another device has changed them, the page is made once more and the cookie renewed (choices.go). A
// visitor's density and theme are in the cookie display (display.go). The edge keeps a copy of a page for each pair of them, and passes on
// nothing else of the cookies, so no visitor's choice gets into another's page.
//
// # A budget for each reader
//
// Cursors, names and the links of /discussions can be invented without end, and a member's pages are not cached. So an instance counts the
// rows that the database reads for each member and each visitor's network (limit_budget.go). A reader may have 150,000 rows read at once,
// and 30,000 more for each minute; beyond that the answer is 429. Rows are counted in memory, because a count in Redis would cost each page
// another request. Visitors whose address is unknown (a self-hosted site without PLAZA_CLIENT_ADDRESS_HEADER) have no budget, because they
// would share one. Where the platform runs several instances, each has its own. Pages from the edge cache are not counted. So visitors who
// share a network with a crawler can still read cached pages. When a renewal is refused, the reader gets the cached copy.
//
//	what can be invented                                   what limits it
//	parameters, their values, order, letter case, escapes  one address in the cache
//	404 and 400 of one address                             kept for ten seconds
//	names, slugs, ids, cursors, links of /discussions      the reader's budget of rows
//	paths that no route has                                they read no rows
//	forged session cookies                                 counted for the network, as without a cookie
//	many networks                                          pages at a time and rows a second of all visitors (limit_budget.go);
//	                                                       administrators can have visitors get cached pages only (limit_cached.go)
//
// # Logged out while writing
//
// A visitor who sends a comment, post, draft, edit or new community gets the login page with 401. That page carries the form's fields, also
// after a wrong password and on the way to sign-up and back. Logging in shows the form again with everything that was typed
// (resume_form.go). Nothing is stored on the server. With JavaScript it is the same: after a 401 the script sends the form as a whole page.
// web/written.js has the header's Log in and Sign up carry what a visitor has typed; on pages that carry something they are buttons of its
// form. The same script keeps a member's comments on the device, one for each target, until they are posted. If a visitor presses a
// button, such as that of a vote, the action is carried out after logging in. A cookie keeps it for 30 minutes.
package request
