package data

import "strings"

// spokenFor are names that read as the site or its staff speaking. Neither a member nor a
// community can have one, nor one that looks like it (lookOf).
var SpokenFor = looks("admin", "admins", "administrator", "administrators", "administration", "mod", "mods", "moderator", "moderators",
	"moderation", "modteam", "automod", "automoderator", "official", "staff", "team", "plaza", "system", "root", "sysadmin", "webmaster", "owner")

// reservedNames can be no member's, besides: they would read as the site speaking, or as
// nobody.
var ReservedNames = looks("deleted", "removed", "anonymous", "nobody", "null", "undefined", "support", "help", "helpdesk", "contact", "security",
	"abuse", "postmaster", "legal", "privacy", "trust", "safety", "trustandsafety", "billing", "info", "noreply", "news", "announcements", "bot", "robot")

// reservedCommunities can be no community's, besides: they would read as lists of the
// site's own, or as parts of it.
var ReservedCommunities = looks("new", "all", "popular", "home", "submit", "front", "frontpage", "announcements", "support", "helpdesk")

func looks(names ...string) map[string]bool {
	all := make(map[string]bool, len(names))
	for _, name := range names {
		all[LookOf(name)] = true
	}
	return all
}

// lookOf is the same for names that look alike at a glance: in any case, with or without
// hyphens and underscores, with digits for letters.
func LookOf(name string) string {
	return strings.NewReplacer("-", "", "_", "", "0", "o", "1", "i", "l", "i", "3", "e", "4", "a", "5", "s", "7", "t").Replace(strings.ToLower(name))
}
