package ui

import g "maragu.dev/gomponents"

// FollowFragment is the button to follow a member, or to stop. The script that has sent it gets it in its new state.
func FollowFragment(name string, on bool, ret string) g.Node {
	return Toggle("/follow", "user", name, name, on, "Follow¦verb", "Following¦button", ret)
}
