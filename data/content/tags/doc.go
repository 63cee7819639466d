// Package tags keeps the tags of posts: which ones are valid, their normalised form, who follows which, and lists of them. Posts of a tag
// are listed by package listings.
//
// The column posts.tags has a post's tags as they were typed, in one spelling: lower case, sorted, one space between them (Parse). An
// accent that is a character of its own is joined with its letter (Unicode's NFC, Spell), so both forms are one tag. plaza verify --repair
// does this with tags of earlier builds. Everything that shows a post reads that column.
//
// # Listed by
//
// A list of the posts that have two tags can't be made by two indexes without reading posts that have only one of them. So post_tags has a
// row for each tag of a published post and for each combination of two or three: 25 for five tags, 7 for three. A row is the combination,
// the time of the post and its id, and nothing else. So the newest posts of /tag/a+b are one range, like a page of a community.
// post_tags has the combination as a number; tag_keys has the names. An address names at most three tags, in the order of their bytes.
//
//   - Other orders. Scores, comments and views are not copied into these rows. A row that is written costs as much as a thousand that are
//     read, and with copies a vote on a post with five tags wrote 90 rows; it writes 13 now. So a page in another order reads the posts
//     themselves (data/lists/listings/tags.go). Of tags with up to 2,000 posts in the window, it reads all of them and sorts. Of tags with
//     more, it goes through the site's index of the order and takes the posts that have the tags.
//   - What is exact. Every page of every order and window, at any depth and across shards: both ways give the order of the site, and a
//     cursor is the value and the id of a post, so it does not matter which way made the page before. Nothing is missed or shown twice
//     (TestTagPages).
//   - What is not. A page looks at 6,000 posts of the site at most. So of tags with more than 2,000 posts, which are rare among the posts
//     of that place in the order, a page can be short. For example, a tag of the past that has 10,000 posts, in the order active. The next
//     page goes on behind the last post that was looked at. A page without any post is followed at once.
//   - What it reads. 53 rows for the order new. In other orders four rows for each post of the tags at most, 8,000 of 2,000 posts. Of
//     larger tags it was 160 to 2,700 rows, with 6,000 posts as with 1,000,000 (TestTagRows), and is about 20,000 where a page stays short.
//     1,000 rows read cost as much as one written.
//   - Kept by triggers. Posts are written by many statements: of authors, moderators, schedules, imports and repairs. The triggers
//     post_tags_made and post_tags_changed run in the transactions of all of these. So no statement can forget the tags, and no job is
//     needed. Unpublished posts have no rows.
//   - What it costs. A post writes 56 rows with five tags that are in use, and 26 without tags. Votes, comments and views write nothing for
//     tags. TestRowsWritten bounds these numbers.
//   - Across shards. A list asks every shard at once and merges by value, as the site's listings do. Hot sets have no part in it.
//
// # By use
//
// tag_keys.heat is the logarithm of the sum of e^(t / 2 days) over a tag's posts. As with the hot rank, the order of two tags does not
// change by the clock, so /tags is the end of an index and no job counts days. A removed post is taken out of the sum again. The index has
// the heat rounded down, heat_step, so that a post of a tag that is much used does not write it. A page reads the tags of the highest steps
// and sorts them.
//
// # By letters
//
// The index tag_keys_begin has the number of digits of a tag's posts before its name. So the tags that begin with some letters are a range
// for each number of digits, from nine down to one, and a page stops when it has enough. 10 tags cost 20 rows, whether there are 600 tags
// or 100,000. The form of a post requests them while a user types (/tags/suggest). The responses are the same for all users, so they are
// cached.
package tags
