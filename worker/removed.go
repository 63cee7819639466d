package worker

import "plaza/data"

// seesRemoved tells whether the caller still sees what was removed: its author does, and the community's moderators.
func (c *call) seesRemoved(author data.ID, community string) bool {
	return c.isViewer(author) || c.exact(community)
}

// hiddenFrom tells whether something is held, or was removed then, and the caller may not know of it.
func (c *call) hiddenFrom(held data.Held, author data.ID, community string) bool {
	return held != data.NotHeld && !c.seesRemoved(author, community)
}
