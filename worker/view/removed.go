package view

import (
	"plaza/data"
	"plaza/worker/request"
)

// SeesRemoved tells whether the caller still sees what was removed: its author does, and the community's moderators.
func SeesRemoved(c *request.Call, author data.ID, community string) bool {
	return c.IsViewer(author) || c.Exact(community)
}

// HiddenFrom tells whether something is held, or was removed then, and the caller may not know of it.
func HiddenFrom(c *request.Call, held data.Held, author data.ID, community string) bool {
	return held != data.NotHeld && !SeesRemoved(c, author, community)
}
