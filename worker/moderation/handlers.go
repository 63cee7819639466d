// Package moderation has the handlers for moderators and for the members about whom they decide: queues, decisions, bans, rules, logs,
// messages, appeals.
//
// The statements that write check the rights. A page uses them only to choose which buttons it shows. Suspended members have no session and
// appeal by a signed link (suspension.go; docs/inside/requests.md).
//
// Begin with Handlers and mod_queue.go.
package moderation

import (
	"plaza/data/content/flair"
	"plaza/data/content/posts"
	"plaza/data/content/votes"
	"plaza/data/moderation"
	"plaza/data/moderation/appeals"
	"plaza/data/moderation/erase"
	"plaza/data/moderation/legalnotices"
	"plaza/data/moderation/modmail"
	"plaza/data/moderation/pictureblocks"
	"plaza/data/moderation/reports"
	"plaza/data/rights/bans"
	"plaza/data/rights/reputation"
	"plaza/data/rights/rules"
	"plaza/worker/links"
	"plaza/worker/view"
)

// Handlers has the handlers for moderators, and for members about whom they decide.
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
	LegalNotices *legalnotices.Store // of people without an account
	Posts        *posts.Store
	Purge        links.Purge
	Reports      *reports.Store
	Rules        *rules.Store
	Votes        *votes.Store
}
