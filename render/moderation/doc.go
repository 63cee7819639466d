// Package moderation renders the pages of moderators: queue, log, rules, bans, flair, conversations. A button that decides names its
// target, so that screen readers can distinguish the buttons of a page.
package moderation
