package outbox

import "slices"

// Kind is a kind of job, with the meaning of its id.
type Kind struct {
	Job Job
	// About are the columns that have that id while there is something to do. plaza verify deletes jobs whose id is in none of them.
	About []string
}

var contentID, postID, memberID, entryID = []string{"posts.id", "comments.id"}, []string{"posts.id"}, []string{"users.id"},
	[]string{"moderation_log.id"}

// Kinds are all kinds of jobs that this version can do. The worker has a function for each (consumeEvents).
var Kinds = []Kind{
	{JobLink, postID},
	{JobNotify, contentID},
	{JobUpdate, contentID},
	{JobDecided, entryID},
	{JobReported, []string{"queue_items.target_id"}},
	{JobNotPublished, postID},
	{JobQuarantined, []string{"quarantines.id"}},
	{JobClear, entryID},
	{JobVerdict, []string{"conversation_messages.id"}},
	{JobForget, contentID},
	{JobTimeline, postID},
	{JobBackfill, memberID},
	{JobRebuild, memberID},
	{JobRename, memberID},
	{JobRevokeSessions, []string{"revocations.subject"}},
	{JobBlocks, memberID},
	{JobCommunity, []string{"communities.id"}},
	{JobInviteTree, []string{"branch_decisions.id"}},
}

// Known reports whether this version can do the job. A job of another version waits for that version.
func (w Job) Known() bool {
	return slices.ContainsFunc(Kinds, func(k Kind) bool { return k.Job == w })
}
