package ui

import g "maragu.dev/gomponents"

// FollowFragment is the button to follow or unfollow a member. The script gets it in its new state as the response.
func FollowFragment(name string, on bool, ret string) g.Node {
	return Toggle("/follow", "user", name, name, on, "Follow¦verb", "Following¦button", ret)
}
