package ui

import g "maragu.dev/gomponents"

// SubscribeFragment is the button in its new state, for the script that has sent it.
func SubscribeFragment(name string, on bool, ret string) g.Node { return Subscribe(name, on, ret) }

func Subscribe(name string, on bool, ret string) g.Node {
	return Toggle("/subscribe", "community", name, "c/"+name, on, "Join", "Joined", ret)
}
