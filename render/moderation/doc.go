// Package moderation shows what moderators work with: queue, log, rules, bans, flair, conversations. Buttons that decide name what they
// decide about, so that a screen reader tells a page of equal buttons apart.
package moderation
