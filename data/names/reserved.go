package names

import (
	"strings"
	"sync"
)

// Reserved names, computed when the first name is checked. A name that looks like one of them is reserved, too.
var (
	// officialNames suggest the site or its staff. They are reserved for members and communities.
	officialNames = sync.OnceValue(func() map[string]bool {
		return skeletons("admin", "admins", "administrator", "administrators", "administration", "mod", "mods", "moderator", "moderators",
			"moderation", "modteam", "automod", "automoderator", "official", "staff", "team", "plaza", "system", "root", "sysadmin", "webmaster",
			"owner")
	})
	// reservedNames suggest the site, or no member at all. They are reserved for members.
	reservedNames = sync.OnceValue(func() map[string]bool {
		return skeletons("deleted", "removed", "anonymous", "nobody", "null", "undefined", "support", "help", "helpdesk", "contact", "security",
			"abuse", "postmaster", "legal", "privacy", "trust", "safety", "trustandsafety", "billing", "info", "noreply", "news", "announcements",
			"bot", "robot")
	})
	// routeWords begin addresses of the site, so /u/settings would look like a part of it. They are reserved for members. A test compares
	// them with the routes.
	routeWords = sync.OnceValue(func() map[string]bool {
		return skeletons("about", "active", "admin", "agree", "api", "auth", "block", "claim", "comment", "comments", "communities", "contact",
			"controversial", "decisions", "delete", "discussions", "display", "draft", "drafts", "edit", "edition", "feed", "follow", "healthz",
			"hidden",
			"hide", "home", "hot", "img", "inbox", "link", "log", "login", "logout", "messages", "mod", "new", "notice", "oembed", "offline",
			"passkeys",
			"picture", "pictures", "post", "preview", "privacy", "prove", "publish", "push", "reply", "report", "reset", "rising", "rules",
			"save", "saved", "search", "seen", "settings", "signup", "sitemap", "submit", "subscribe", "suspension", "tag", "tags", "terms",
			"title", "top", "transparency", "unsubscribe", "view", "views", "vote", "watch", "welcome", "yours")
	})
	// reservedCommunities suggest lists or parts of the site. They are reserved for communities.
	reservedCommunities = sync.OnceValue(func() map[string]bool {
		return skeletons("new", "active", "all", "popular", "home", "submit", "front", "frontpage", "announcements", "support", "helpdesk", "hot",
			"top", "rising", "controversial", "yours", "saved", "hidden", "drafts", "inbox", "messages", "settings", "login", "signup", "api",
			"everything", "everyone")
	})
)

// IsReserved reports whether members can't have a name.
func IsReserved(name string) bool {
	look := SkeletonOf(name)
	return officialNames()[look] || reservedNames()[look] || routeWords()[look]
}

// IsReservedCommunity reports whether communities can't have a name. Names that begin with u_ look like a member's profile.
func IsReservedCommunity(name string) bool {
	look := SkeletonOf(name)
	return officialNames()[look] || reservedCommunities()[look] || strings.HasPrefix(strings.ToLower(name), "u_")
}

func skeletons(names ...string) map[string]bool {
	all := make(map[string]bool, len(names))
	for _, name := range names {
		all[SkeletonOf(name)] = true
	}
	return all
}

// alike are letters and digits that look similar, and characters that are removed. The order matters.
var alike = [][2]string{
	{"-", ""}, {"_", ""}, {"0", "o"}, {"1", "i"}, {"l", "i"}, {"3", "e"}, {"4", "a"}, {"5", "s"}, {"7", "t"}, {"rn", "m"}, {"vv", "w"},
}

// SkeletonOf returns the same text for names that look similar: in any case, with or without hyphens and underscores, with digits for
// letters, and with two letters that look like one.
func SkeletonOf(name string) string {
	name = strings.ToLower(name)
	for _, pair := range alike {
		name = strings.ReplaceAll(name, pair[0], pair[1])
	}
	return name
}

// SkeletonOfUser is SkeletonOf in SQL, for the row u of users. The index users_look contains it, so a change of alike needs another index.
const SkeletonOfUser = `replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(u.username_key,
  '-', ''), '_', ''), '0', 'o'), '1', 'i'), 'l', 'i'), '3', 'e'), '4', 'a'), '5', 's'), '7', 't'), 'rn', 'm'), 'vv', 'w')`
