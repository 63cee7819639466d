package view

import (
	"plaza/data/rights/roles"
	"plaza/render/ui"
)

// InvitationView makes the view of an invitation.
func InvitationView(community string, role roles.Role, by string) ui.Invitation {
	return ui.Invitation{Community: community, Role: string(role), By: by}
}
