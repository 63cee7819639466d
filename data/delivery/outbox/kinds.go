package outbox

import "slices"

// Kind is a kind of work, with the meaning of its id.
type Kind struct {
	Work Work
	// About are the columns that have that id while there is something to do. plaza verify deletes work whose id is in none of them.
	About []string
}

var aContent, aPost, aMember, anEntry = []string{"posts.id", "comments.id"}, []string{"posts.id"}, []string{"users.id"},
	[]string{"moderation_log.id"}

// Kinds are all kinds of work that this version can do. The worker has a function for each (consumeEvents).
var Kinds = []Kind{
	{WorkLink, aPost},
	{WorkNotify, aContent},
	{WorkUpdate, aContent},
	{WorkDecided, anEntry},
	{WorkReported, []string{"queue_items.target_id"}},
	{WorkWithheld, aPost},
	{WorkQuarantined, []string{"quarantines.id"}},
	{WorkClear, anEntry},
	{WorkVerdict, []string{"conversation_messages.id"}},
	{WorkForget, aContent},
	{WorkTimeline, aPost},
	{WorkFill, aMember},
	{WorkRebuild, aMember},
	{WorkRename, aMember},
	{WorkRevokeSessions, []string{"revocations.subject"}},
	{WorkBlocks, aMember},
	{WorkCommunity, []string{"communities.id"}},
	{WorkInviteTree, []string{"branch_decisions.id"}},
}

// Known reports whether this version can do the work. Work of another version waits for that version.
func (w Work) Known() bool {
	return slices.ContainsFunc(Kinds, func(k Kind) bool { return k.Work == w })
}
