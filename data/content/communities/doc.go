// Package communities keeps communities: their founders, subscribers, moderators and settings, and lists of communities. All of it is in
// the directory. A community's shard has a copy of its row, for the posts there, and counts the posts.
//
// # Shards
//
// A new community goes to the shard that has the least to do (place.go). Create asks all shards for their size and how fast their last 200
// comments came. This costs a request and at most 200 rows a shard, and founding is rare. So nothing has to be kept up to date, and a shard
// that does not answer is not chosen: the new community works at once. The shards of a small site are chosen among by chance.
//
// # Settings
//
// A moderator's change is one UPDATE. It checks the moderator and the session, and takes the next revision from one sequence for all
// communities. The form carries the revision from which it was made. So when two moderators save at once, the second gets an error. Where
// the shard is another database, its copy is written after the commit, and the revision keeps an older copy from replacing a newer one.
//
// # Profiles
//
// Posts to a member's own profile are posts like all others: votes, threads, drafts, editing and deleting make no difference. A profile is
// a row of communities, made with the first post. Its shard is chosen like that of a community. Its name is u- and the member's id
// (data/names.go), so a new name of the member breaks no address. Posts are at /c/u-…/p/…, and /c/u-… leads to /u/{name}. Only its member
// may post to it. It has no moderator; administrators decide there. The alternative was posts without a community. These would have needed
// another key for slugs, and another way to find the shard. Lists of communities use indexes that contain only rows of the kind community.
// The site's listings read past profile posts (data.NotOnProfile), so their pages cost more by the share of such posts. Separate indexes
// would cost every post and vote. The hot sets contain no profile posts. A short post (worker/post/profile_post.go) of one plain paragraph
// is all title. Its author edits it as one text. The form says short, and title and text are split again (wholeProfilePost,
// partsOfProfilePost). The address stays.
//
// # Colours
//
// A post's row has its community's name and no colour. A new colour must not cost a write to a million posts, and a mixed listing must not
// cost a look-up for each post. So each instance remembers the chosen colours (colour.go). Every page with a mixed listing also reads, in
// the same request, the communities with a newer revision than the last that the instance saw: normally none. So on every instance, the
// first page after a change has the new colour. A new instance reads 1,000 changes with each page, and 100,000 at most. A community that it
// doesn't know yet has the default colour of its name.
//
// # New this week
//
// communities.growth and community_stats.week_posts count the subscriptions and posts since weeks.since. The triggers that keep members and
// posts keep them. Each minute AgeWeeks moves since towards a week ago, and subtracts the subscriptions and posts that it passes, at most
// 10,000 a run. So each is read once, when it becomes old, whatever the size of the community. The counts are exact for since at all times,
// and since is at most a minute late unless there is a backlog. An import into an empty database begins the week a week ago, so that old
// posts never count as new.
//
// # One's own communities
//
// The sidebar of the front page, of /home and of communities lists up to thirty of the member's communities. Those that the member
// moderates come first (own.go). It costs two rows for each and no request. /communities/yours lists all of them.
package communities
