package data

import "strings"

// A member's profile is a place for posts like a community: a row of communities of the kind profile, on a shard chosen
// by chance, with a name that is made of the member's id. So it stays where it is when the member takes another name.
// No community has such a name, because communities' names have no hyphen.

const profilePrefix = "u-"

// ProfileOf is the name of the place where a member's own profile posts are.
func ProfileOf(member ID) string { return profilePrefix + member.Text() }

// IsProfile tells a profile's name, in any letter case, from that of a community.
func IsProfile(place string) bool {
	return len(place) > len(profilePrefix) && strings.EqualFold(place[:len(profilePrefix)], profilePrefix)
}

// MemberOf is the member to whom a profile belongs; 0 for a community.
func MemberOf(place string) ID {
	if !IsProfile(place) {
		return 0
	}
	id, err := ParseID(strings.ToLower(place[len(profilePrefix):]))
	if err != nil || !strings.EqualFold(ProfileOf(id), place) {
		return 0
	}
	return id
}

const (
	// OnProfile is a condition on a post p: it was posted to a profile. The row of a post has the name of its place, but not the kind.
	OnProfile = `p.community_name GLOB 'u-*'`
	// NotOnProfile is its opposite. The site's listings leave out what members post to their profiles. It is no part of an index: a page
	// of a listing reads past such posts.
	NotOnProfile = `NOT ` + OnProfile
)
