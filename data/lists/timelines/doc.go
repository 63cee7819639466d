// Package timelines keeps the entries that members read at /home. Each entry names a post of an author whom the member follows. They are in
// the directory, and posts on the shards. Package listings reads a page of them.
//
// Rows of the outbox ask for all of this work. It may be repeated any number of times, because each entry has a unique key.
//
// # Entries
//
// /home shows the posts of the authors whom a member follows, and the member's own posts, the last published first. Entries are rows of
// timeline in the directory, (member, time of publishing, post); the time is not the id's, because drafts and scheduled posts are published
// later than their ids were made. A page is one range of the primary key (data/lists/listings/home.go).
//
//   - Fan-out on write. The transaction that publishes leaves the work timeline <post>; the events consumer writes an entry for each
//     follower who was here within 30 days, a thousand followers a transaction, small authors together in one (fanout.go).
//   - Merged at read. An author with more than TIMELINE_THRESHOLD followers (5,000) when a post is published becomes loud: from then on
//     their posts are written into no timelines. Their follows are marked (follows.loud) in steps whose progress is users.loud_to, so a
//     page finds a member's loud followees in a partial index and merges the 100 followed last. So the cost of a post is bounded by the
//     threshold, and marking costs one write for each follower, once. When a loud author with half as many followers or fewer posts, posts
//     are written again. Each follow stays loud until the older posts are filled in (follows.unfilled), so nothing is missed.
//   - Follow and unfollow. Following leaves the work fill <member>: the newest 20 posts of each new followee (follows.unfilled).
//     Unfollowing deletes the entries of that author in its own transaction.
//   - Being here. A page that finds users.seen_at older than a day has it written after the answer (Server.noteSeen). When it was older
//     than 30 days, the same transaction leaves the work rebuild <member>: the newest 800 posts of all followees, merged in SQL.
//   - Why nothing gets lost. Each fan-out reads follows and seen_at in the transaction that writes the entries. So either it sees a new
//     follow or a returned member, or these come after it. In the second case the work fill or rebuild reads the post from its shard.
//     Entries are written only where the follow is still there.
//   - While a community moves to another shard, fill and rebuild ask all shards, and go by no map of slots. A post that they find on
//     neither was published on the new shard, before that shows it. Its fan-out comes later, because work waits as long as its shard
//     hides it. So it sees the follow.
//   - Capped. A timeline keeps its newest 800 entries. To trim it reads them all, so each fan-out trims one timeline in fifty, by chance:
//     some have a few dozen entries more. Reading is billed at a thousandth of writing, and a counter would cost a write for each entry.
//   - Deleted, removed, hidden posts stay as entries and are left out when the page is read. With several databases that may leave a page
//     empty; then up to three more are read.
//   - Tags that a member follows (tag_follows, 50 at most) are merged when the page is read, like loud authors: by a seek in post_tags
//     for each post that is shown (data/lists/listings/home_tags.go). Nothing is written for them when somebody posts.
//
// A page of 25 reads about 85 rows, 3 more for each loud followee, and 6 more for each of their posts that it shows. With one database it
// is two statements in one request; with several the directory is asked first, then all shards at once. TestAuthorsOfAnySize has the costs,
// and TestTimelinesOfAnyHistory compares random histories, with lost and doubled messages, with a simple model.
package timelines
