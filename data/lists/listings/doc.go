// Package listings reads lists of posts: of a community, of the site, of an author, about one link, a member's saved, hidden and draft
// posts, and a member's front page. All come from the databases. Of a hot list an instance may know the ids (package hot).
//
// # Windows
//
// Top, controversial, most commented and most viewed of the past hour, day, week, month, year and of all time, of a community and of the
// site, without a table of windows. A post has an age, the youngest window it is in, and the indexes of these listings begin with it. So a
// window is a few ages, each a range in the order of the index; sql.go joins them with UNION ALL under one ORDER BY … LIMIT, which SQLite
// answers by merging row by row. A page of 25 reads 27 rows for the past hour and 37 for all time, at 10,000 posts as at 1,000,000, on the
// first page as deep down (TestRowsRead prints the table). A table of windows would need a row per post, window and order, each with its
// own index, written by every vote and purged; all time would be the table that only grows.
//
//   - Rolling, and exact without the job. Every part of the UNION checks created_at as well. A job that runs each minute
//     (data/content/posts/age.go) moves posts to the next age in steps of 500. Until then, pages read these posts and leave them out, so
//     the result is right anyway. An age may be too young and is never too old, so a post is in every window it should be in. The job moves
//     a post a minute late, in case the clocks of shards differ. A post moves five times in its life and rewrites at most nine index
//     entries each time.
//   - Ties. Thousands of posts have the score 1. SQLite seeks to a cursor's value and id only when the index ends in the value, ascending,
//     with the rowid that follows by itself, and when the id is compared with COLLATE BINARY; with DESC, or with the id named in the index,
//     it reads through all posts of the same value. TestPlans refuses new statements that do.
//   - What pages guarantee. A post that was there throughout and whose value did not change is shown exactly once, whatever others do:
//     votes, new posts, deletions (TestPaging). By new that is every post. A post whose value changes is shown at its new position. If it
//     crosses the boundary between two pages at that moment, it is missed or shown again. Avoiding that would mean storing the whole order
//     for each reader: a cursor knows where the page ended, and not which posts were on it.
//   - Top, controversial and most commented go by values that are written when they have moved by more than a 32nd (package votes). So of
//     two posts with about as many comments, the one with a few more may stand below.
//   - Active goes by the last comment (ranking.Active), to a minute. The transaction of the comment writes it, by triggers. So a busy
//     thread rewrites the index entries of its post once a minute, however many write.
//   - Rising moves with the clock and so has no index: it is computed over the newest 75 posts (48 in a list by tags) and has one page.
//
// # A member's front page
//
// The posts of a member's communities, ordered by how far each is behind the best post of its own community (ranking.Weight). So a large
// community doesn't displace a small one. front.go merges in SQL. The queue of a recursive statement holds the next post of each community.
// The best one is taken out, and the next post of its community is put in, each by a seek in posts_hot. Posts that the member hides are
// left out there. A page of 25 reads about 130 rows and 9 for each community, however deep and whatever the size (TestFrontRows).
//
//   - Pages in order. The cursor carries the communities and the top score that each is measured from. So later pages neither repeat nor
//     skip when votes come, something is posted or a community is joined, and nothing is stored between pages. The cursor has about 50
//     characters for one community and 500 for fifty.
//   - More than fifty subscriptions. The page uses those of the last day and a sample of the others, the same on all later pages.
//   - Kept in memory is only the first page, with the member's own state (data.OwnLife), for 200 members at most. A member's own post and a
//     new subscription show on the next view.
//   - Several databases. The first page asks the directory for the communities and then each shard at once; later pages ask the shards
//     alone.
//   - By time. /yours/new and /yours/active merge the same communities by a seek in posts_new or posts_active (front_new.go). Their
//     cursor is a time and an id, so each page takes the sample of its own moment. / shows this order to members who have chosen "New" or
//     "Active", and else /yours/hot.
//
// # Without a shard
//
// Pages of all communities are also made while a shard does not answer (data.Read.AllowMissing). They lack its posts and say so. No
// instance remembers them, and the edge keeps them for two seconds.
//
// The cursor is where the page ended, so it stays exact. For example, a shard is away for page 1 and back for page 2. Then page 2 begins
// right behind the last post of page 1, and has the posts of all shards, each once. Posts of the shard that belong on page 1 show when the
// reader loads page 1 again. Timelines, and hot lists of which the ids are known, know the places of posts without the shard. They leave
// these places empty, so the page is shorter. The cursor of a member's front page carries the communities of the missing shard along, with
// their tops if the page before had them. Otherwise the first page that reaches the shard again measures the tops.
//
// While something is missing, nobody knows which page is the last. So every page has a next one, unless it is empty.
package listings
