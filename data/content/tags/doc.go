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
// row for each tag of a published post and for each combination of two or three: 25 for five tags, 7 for three. Each has copies of what
// listings sort by, and there is an index for each order, in which the combination comes first. So a page of /tag/a+b is one range, like a
// page of a community. It reads between 2.1 and 2.8 rows for a post, whether there are 6,000 posts or 1,000,000, on the first page and deep
// down, for one, two or three tags, common or rare (TestTagRows). Only "rising" reads more: it picks from the 48 newest posts, 97 rows for
// 25. post_tags has the combination as a number; tag_keys has the names. An address names at most three tags, in the order of their bytes.
//
//   - Kept by triggers. Posts are written by many statements: of authors, moderators, schedules, folds, the job of ages, imports and
//     repairs. Triggers of posts run in the transactions of all of these: post_tags_made, post_tags_changed, and one for each kind of
//     change that moves a post in lists. So no statement can forget the tags, and no job is needed. Unpublished posts have no rows.
//   - What it costs. With its fold and all that follows, publishing a post writes 38 rows without tags and 253 with five tags. An upvote
//     writes 16 and 90, a comment 44 and 94. A fold writes its part of that once, however many votes and comments it folds.
//     TestRowsWritten bounds these numbers.
//   - Across shards. A list asks every shard at once and merges by value, as the site's listings do. Hot sets have no part in it.
//
// # By use
//
// tag_keys.heat is the logarithm of the sum of e^(t / 2 days) over a tag's posts. As with the hot rank, the order of two tags does not
// change by the clock, so /tags is the end of an index and no job counts days. A removed post is taken out of the sum again.
//
// # By letters
//
// The index tag_keys_begin has the number of digits of a tag's posts before its name. So the tags that begin with some letters are a range
// for each number of digits, from nine down to one, and a page stops when it has enough. 10 tags cost 20 rows, whether there are 600 tags
// or 100,000, and 30 tags by use cost 30. The form of a post requests them while a user types (/tags/suggest). The responses are the same
// for all users, so they are cached.
package tags
