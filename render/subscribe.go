package render

import g "maragu.dev/gomponents"

// SubscribeFragment is the button in its new state, for the script that has sent it.
func SubscribeFragment(name string, on bool, ret string) g.Node { return subscribe(name, on, ret) }

func subscribe(name string, on bool, ret string) g.Node {
	return toggle("/subscribe", "community", name, "to c/"+name, on, "Subscribe", "Subscribed", ret)
}
