package communities

import "plaza/data/events/modlog"

// Assembled are the statements that are assembled at run time.
func Assembled() map[string]string {
	all := map[string]string{}
	for order, from := range map[string]string{"members": listByMembers, "growth": listByGrowth, "age": listByAge} {
		all["communities by "+order] = ItemColumns + ItemMine + from
		all["communities by "+order+" for a visitor"] = ItemColumns + ItemVisitor + from
	}
	all["own communities"] = listJoined
	for name, sql := range map[string]string{"communitySettings": communitySettings, "updateCommunity": updateCommunity,
		"updatedCommunity": updatedCommunity, "communitiesToCopy": communitiesToCopy, "communityToCopy": communityToCopy,
		"copyCommunity": copyCommunity} {
		all[name] = sql
	}
	for name, guard := range map[string]string{"settingsDiffer": settingsDiffer, "isInvited": isInvited, "changesRole": changesRole,
		"canBeDismissed": canBeDismissed, "canResign": canResign} {
		all[name+", for the log"] = modlog.Guarded(guard)
	}
	return all
}
