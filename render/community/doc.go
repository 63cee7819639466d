// Package community renders communities: their lists, pages, settings, tags, team and the welcome of a new member. The list of a
// community's posts is in package ui, because other subjects show lists as well.
package community
