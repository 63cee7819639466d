// Package moderation shows what moderators work with: queue, log, rules, bans, flair, conversations.
package moderation
