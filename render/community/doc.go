// Package community shows communities: their lists, pages, settings, tags, team and the welcome of a new member.
package community
