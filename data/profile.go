package data

import "strings"

// A member's profile is a place for posts like a community: a row of communities of the kind profile, on a shard chosen by load, with a
// name made of the member's id. So the name stays when the member is renamed. No community has such a name, because communities' names
// have no hyphen.

const profilePrefix = "u-"

// ProfileOf returns the name of the profile community of a member.
func ProfileOf(member ID) string { return profilePrefix + member.Text() }

// IsProfile reports whether a name, in any letter case, is a profile's and not a community's.
func IsProfile(name string) bool {
	return len(name) > len(profilePrefix) && strings.EqualFold(name[:len(profilePrefix)], profilePrefix)
}

// MemberOf returns the member of a profile; 0 for a community.
func MemberOf(name string) ID {
	if !IsProfile(name) {
		return 0
	}
	id, err := ParseID(strings.ToLower(name[len(profilePrefix):]))
	if err != nil || !strings.EqualFold(ProfileOf(id), name) {
		return 0
	}
	return id
}

const (
	// OnProfile is the condition that a post p is on a profile. The row of a post has the name of its place, but not the kind.
	OnProfile = `p.community_name GLOB 'u-*'`
	// NotOnProfile is its negation. The site's listings leave out posts on profiles. No index has it as a condition: a page of a listing
	// skips such rows.
	NotOnProfile = `NOT ` + OnProfile
)
