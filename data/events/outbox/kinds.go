package outbox

import "slices"

// Kind is a kind of job, with the meaning of its id.
type Kind struct {
	Job Job
	// About are the columns that have that id while there is something to do. plaza verify deletes jobs whose id is in none of them.
	About []string
}

var aContent, aPost, aMember, anEntry = []string{"posts.id", "comments.id"}, []string{"posts.id"}, []string{"users.id"},
	[]string{"moderation_log.id"}

// Kinds are all kinds of jobs that this version can do. The worker has a function for each (consumeEvents).
var Kinds = []Kind{
	{JobLink, aPost},
	{JobNotify, aContent},
	{JobUpdate, aContent},
	{JobDecided, anEntry},
	{JobReported, []string{"queue_items.target_id"}},
	{JobNotPublished, aPost},
	{JobQuarantined, []string{"quarantines.id"}},
	{JobClear, anEntry},
	{JobVerdict, []string{"conversation_messages.id"}},
	{JobForget, aContent},
	{JobTimeline, aPost},
	{JobBackfill, aMember},
	{JobRebuild, aMember},
	{JobRename, aMember},
	{JobRevokeSessions, []string{"revocations.subject"}},
	{JobBlocks, aMember},
	{JobCommunity, []string{"communities.id"}},
	{JobInviteTree, []string{"branch_decisions.id"}},
}

// Known reports whether this version can do the job. A job of another version waits for that version.
func (w Job) Known() bool {
	return slices.ContainsFunc(Kinds, func(k Kind) bool { return k.Job == w })
}
