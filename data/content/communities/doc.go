// Package communities keeps the places that posts are about: who founded them, who takes part, who moderates them, how they look, and lists
// of them. All of it is in the directory. A community's shard has a copy of its row, for the posts there, and counts the posts.
//
// # Settings
//
// A moderator's change is one UPDATE that checks the moderator and the session itself and takes the next revision, one sequence for all
// communities. The form carries the revision it was made from, so the second of two moderators who save at once is told. Where the shard is
// another database, its copy is written after the commit, guarded by the revision.
//
// # Profiles
//
// What members post to their own profiles are posts like all others: votes, threads, drafts, editing and deleting know no difference. A
// profile is a row of communities, made with the first post, on a shard of its own chosen by chance. Its name is u- and the member's id
// (data/names.go), so that a new name of the member breaks no address: posts are at /c/u-…/p/…, and /c/u-… leads to /u/{name}. Only its
// member may post to it. It has no moderator; administrators decide there. The alternative, posts without a community, would have needed
// another key for slugs, and another way to the shard. Lists of communities go by indexes that have rows of the kind community alone. The
// site's listings read past profile posts (data.NotOnProfile), so their pages cost more by the share of such posts, while indexes of their
// own would cost every post and vote. The hot sets have none of them. A short post (worker/post/profile_post.go) of one plain paragraph is
// all title. Its author edits it as it was typed: the form says short, and title and text are made of it anew (wholeProfilePost,
// partsOfProfilePost). The address stays.
//
// # Colours
//
// A post's row has its community's name and no colour: a colour that is changed must cost no write to a million posts, and a mixed listing
// no look-up a post. colour.go keeps the chosen colours in the instance, and every page with a mixed listing reads along, in the same
// request, the communities whose revision is newer than the last it saw: normally none. So the first page after a change has the new colour
// on every instance. An instance that is new learns 1,000 changes a page, and 100,000 at most; a community it doesn't know yet has the
// colour that its name gives.
//
// # New this week
//
// communities.growth and community_stats.week_posts are what is later than weeks.since, kept by the triggers that keep members and posts.
// Each minute AgeWeeks moves since towards a week ago and takes what it passes out of the counts, at most 10,000 a run: every subscription
// and post is read once, when it becomes old, whatever a community's size. The counts are exact for since at all times, which is at most a
// minute late unless there is a backlog. An import into an empty database begins the week a week ago, so that old posts never count as new.
//
// # One's own communities
//
// The sidebar of the front page, of /home and of communities names up to thirty of the member's communities, those that they moderate first
// (own.go). It costs two rows for each and no request; /communities/yours lists all of them.
package communities
