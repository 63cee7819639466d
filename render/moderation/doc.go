// Package moderation renders the pages of moderators: queue, log, rules, bans, flair, conversations. A button that decides names its
// target, so that screen readers can tell the buttons of a page apart.
package moderation
