package view

import (
	"plaza/data/content/communities"
	"plaza/render"
)

// InvitationView is an invitation as pages show it.
func InvitationView(community string, role communities.Role, by string) render.Invitation {
	return render.Invitation{Community: community, Role: string(role), By: by}
}
