package worker

import (
	"plaza/data/communities"
	"plaza/render"
)

// invitationView is an invitation as pages show it.
func invitationView(community string, role communities.Role, by string) render.Invitation {
	return render.Invitation{Community: community, Role: string(role), By: by}
}
