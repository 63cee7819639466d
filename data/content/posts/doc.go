// Package posts keeps posts: what members submit, keep as drafts, schedule, edit and delete, on the shard of their community. Lists of
// posts are of package listings, votes and comments of packages of their own.
//
// # Editing
//
// edited_at is the revision: a form carries the one it was made from, the statement that writes asks for it, and the next one is now or,
// whatever the clocks say, a millisecond later. So of two edits the second is refused and comes back with both texts. The transaction's own
// last statement tells why nothing was written; that the same text is there means that it was, also when the answer of a first try was
// lost. Title, link and image stay as posted: address, votes and answers are about them.
//
// # Deleting
//
// Deleting empties the row in the same transaction: text, title, link, and of a post the row in post_texts. author_id and author_name stay
// for the karma of votes that are not folded yet; forgetAuthor takes them from whatever is read. Listings' indexes and conditions leave out
// what is not published. The hot sets are left to the votes consumer, which alone writes them: the message is a nudge, and its fold removes
// the member. A draft that nobody has seen is removed altogether; for a day deleted_drafts knows who did that, so that deleting twice, or
// after a lost answer, tells its author the same. Visitors may be shown the edge's copy of a page for as long as its cache class allows (a
// thread: 30 s, and once more within 5 minutes).
//
// # The same thing
//
// posts.link_key says what a post is about: URLKey of its link or image, or, of a crosspost, what the original is about; a text without a
// link gets the key post:<id> from its crossposts. One index serves the count on a post's page (bounded), /discussions on every shard at
// once (its address names the thing, so no shard has to be asked first), and the question whether a link was posted to the community of
// late, which the inserting statement asks itself. A crosspost has a copy of the original's title, author and address, because it may live
// on another shard. Deleting the original empties the copies on its shard in the same transaction, and those on other shards by the work
// amend. Until that is done, the deleted post keeps its link_key, by which they are found.
//
// # The parts of a post
//
// A post has a text, a link or an image, or several of them; all are kept and shown. kind is the first that it has of link, image and text.
// The title is a link to the link, else to the image, else to the post's page, and the domain is that of the same address. A link's preview
// shows no picture where the post has its own image. In the form a field that is not empty always shows, whatever tab is chosen.
//
// # Drafts and scheduled posts
//
// Both are rows of posts with another status, which no listing, vote or comment can reach; only their author finds them at their address.
// Publishing sets created_at, hot and age to the moment, gives the author's vote and leaves the link's work in the same transaction; the id
// stays, because listings sort by created_at and use ids for ties alone. The slug follows the title until then. /drafts and the pages below
// it list a member's own posts by status, the newest first (data/lists/listings/own_list.go). Each is a range of the index posts_own or, of
// published and archived ones, posts_by on every shard, and is read anew each time. web/autosave.js keeps the form of a post on the device,
// and on the site by the actions POST /drafts and POST /draft, which send the draft's revision. So a draft that was changed elsewhere is
// not overwritten. What is scheduled is kept on the device only: half an edit is not to be published. To anybody else every action on a
// draft answers as if there were no draft: 404, and a form with only what was typed. Publishing a link asks what submitting asks, in the
// transaction that saves, and saves nothing until it is answered. Each minute PublishDue publishes what is due from the front of a partial
// index; the directory says whose authors are active, and what the others have scheduled becomes a draft again.
//
// # Pinned posts
//
// Pinned posts (posts.pinned_at) are read with a community's first page, in the same request, and remembered with it.
package posts
