package view

import (
	"plaza/data/rights/roles"
	"plaza/render/ui"
)

// InvitationView is an invitation as pages show it.
func InvitationView(community string, role roles.Role, by string) ui.Invitation {
	return ui.Invitation{Community: community, Role: string(role), By: by}
}
