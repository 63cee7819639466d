// Package moderation has the handlers for moderators, and for the members about whom they decide: queues, decisions, bans, rules, logs,
// messages, appeals. The statements that write check the rights. A page uses them only to choose which buttons it shows.
//
// # Appeals without a session
//
// Suspended and banned members have no session, so they appeal by a link (suspension.go). All sign-in methods end in enter. It shows such a
// member the reason and a link. The site has signed the link for this member and this decision, for half an hour. The link is not stored.
// Statements that write by it need another condition than LiveSession: the member is suspended by that entry of the log, and writes in the
// appeal against it (acts in data/moderation/modmail/modmail.go). So a restore, or another decision, ends the link at once. For this, every
// suspension has an entry in the log: those of plaza suspend have the actor 0, and refused newcomers have the entry refuse.
//
// # The card of a member
//
// The card of a member takes one request. Everything on it is found on the community's shard by the member's id, but for comments, which
// are found by the author's name. So the card's address has the name as well; without it, or after a change of name, the card takes one
// request more.
package moderation

import (
	"plaza/data/content/flair"
	"plaza/data/content/posts"
	"plaza/data/content/votes"
	"plaza/data/moderation"
	"plaza/data/moderation/appeals"
	"plaza/data/moderation/bans"
	"plaza/data/moderation/erase"
	"plaza/data/moderation/modmail"
	"plaza/data/moderation/notices"
	"plaza/data/moderation/pictureblocks"
	"plaza/data/moderation/reports"
	"plaza/data/moderation/reputation"
	"plaza/data/moderation/rules"
	"plaza/worker/links"
	"plaza/worker/view"
)

// Handlers answers what moderators do, and those about whom they decide.
type Handlers struct {
	*view.Views
	Appeals      *appeals.Store
	Bans         *bans.Store
	Blocks       *pictureblocks.Store // of pictures
	Erasing      *erase.Store
	Flairs       *flair.Store
	Moderation   *moderation.Store
	Modmail      *modmail.Store
	Notes        *reputation.Notes
	NoticesGiven *notices.Store // of people without an account
	Posts        *posts.Store
	Purge        links.Purge
	Reports      *reports.Store
	Rules        *rules.Store
	Votes        *votes.Store
}
