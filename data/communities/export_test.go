package communities

// CommunitySQL are the statements of communities' lists and statistics, by what they do.
var CommunitySQL = map[string]string{
	"members, visitor": itemColumns + itemNobody + listByMembers, "members, member": itemColumns + itemMine + listByMembers,
	"growth, visitor": itemColumns + itemNobody + listByGrowth, "growth, member": itemColumns + itemMine + listByGrowth,
	"age, visitor": itemColumns + itemNobody + listByAge, "age, member": itemColumns + itemMine + listByAge,
	"mine": communitiesOf, "by name": communityByName, "moderators": communityModerators, "posts": communityPosts,
	"settings": communitySettings, "update": updateCommunity, "updated": updatedCommunity, "may": MayModerate,
	"colours": changedColours, "member week": memberWeek, "post week": postWeek, "pass members": passMembers, "pass posts": passPosts,
}
