// Package moderation answers what moderators do, and those about whom they decide: queues, decisions, bans, rules, logs, messages, appeals.
package moderation

import (
	"plaza/data/bans"
	"plaza/data/flair"
	"plaza/data/moderation"
	"plaza/data/moderation/appeals"
	"plaza/data/modmail"
	"plaza/data/posts"
	"plaza/data/reports"
	"plaza/data/rules"
	"plaza/data/standing"
	"plaza/data/votes"
	"plaza/worker/view"
)

// Handlers answers what moderators do, and those about whom they decide.
type Handlers struct {
	*view.Views
	Appeals    *appeals.Store
	Bans       *bans.Store
	Flairs     *flair.Store
	Moderation *moderation.Store
	Modmail    *modmail.Store
	Notes      *standing.Notes
	Posts      *posts.Store
	Reports    *reports.Store
	Rules      *rules.Store
	Votes      *votes.Store
}
