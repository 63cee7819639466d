package communities

// Assembled are the statements that are put together when they are sent.
func Assembled() map[string]string {
	all := map[string]string{}
	for order, from := range map[string]string{"members": listByMembers, "growth": listByGrowth, "age": listByAge} {
		all["communities by "+order] = itemColumns + itemMine + from
		all["communities by "+order+" for a visitor"] = itemColumns + itemNobody + from
	}
	all["own communities"] = listOwn
	return all
}
