package data

import (
	"strings"
	"sync"
)

// Names that nobody can have, made when the first name is checked. A name that looks like one of them counts as it.
var (
	// spokenFor read as the site or its staff speaking: for members and communities.
	spokenFor = sync.OnceValue(func() map[string]bool {
		return looks("admin", "admins", "administrator", "administrators", "administration", "mod", "mods", "moderator", "moderators",
			"moderation", "modteam", "automod", "automoderator", "official", "staff", "team", "plaza", "system", "root", "sysadmin", "webmaster", "owner")
	})
	// reservedNames would read as the site speaking, or as nobody: for members.
	reservedNames = sync.OnceValue(func() map[string]bool {
		return looks("deleted", "removed", "anonymous", "nobody", "null", "undefined", "support", "help", "helpdesk", "contact", "security",
			"abuse", "postmaster", "legal", "privacy", "trust", "safety", "trustandsafety", "billing", "info", "noreply", "news", "announcements", "bot", "robot")
	})
	// reservedCommunities would read as lists of the site's own, or as parts of it: for communities.
	reservedCommunities = sync.OnceValue(func() map[string]bool {
		return looks("new", "all", "popular", "home", "submit", "front", "frontpage", "announcements", "support", "helpdesk")
	})
)

// IsReservedName tells whether no member can have a name.
func IsReservedName(name string) bool {
	look := lookOf(name)
	return spokenFor()[look] || reservedNames()[look]
}

// IsReservedCommunity tells whether no community can have a name.
func IsReservedCommunity(name string) bool {
	look := lookOf(name)
	return spokenFor()[look] || reservedCommunities()[look]
}

func looks(names ...string) map[string]bool {
	all := make(map[string]bool, len(names))
	for _, name := range names {
		all[lookOf(name)] = true
	}
	return all
}

var alike = strings.NewReplacer("-", "", "_", "", "0", "o", "1", "i", "l", "i", "3", "e", "4", "a", "5", "s", "7", "t")

// lookOf is the same for names that look alike at a glance: in any case, with or without
// hyphens and underscores, with digits for letters.
func lookOf(name string) string { return alike.Replace(strings.ToLower(name)) }
