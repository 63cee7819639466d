// Package moderation answers what moderators do, and those about whom they decide: queues, decisions, bans, rules, logs, messages, appeals.
package moderation

import (
	"plaza/data/content/flair"
	"plaza/data/content/posts"
	"plaza/data/content/votes"
	"plaza/data/moderation"
	"plaza/data/moderation/appeals"
	"plaza/data/moderation/bans"
	"plaza/data/moderation/modmail"
	"plaza/data/moderation/reports"
	"plaza/data/moderation/reputation"
	"plaza/data/moderation/rules"
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
	Notes      *reputation.Notes
	Posts      *posts.Store
	Reports    *reports.Store
	Rules      *rules.Store
	Votes      *votes.Store
}
