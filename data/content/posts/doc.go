// Package posts keeps posts: what members submit, keep as drafts, schedule, edit and delete, on the shard of their community. Lists of
// posts are of package listings, votes and comments of packages of their own.
//
// # Editing
//
// edited_at is the revision. A form carries the revision from which it was made, and the statement that writes compares it. The next
// revision is the current time, or a millisecond after the last one if the clock is behind. So of two edits the second is refused, and its
// form comes back with both texts. The last statement of the transaction reads why nothing was written. If it finds the same text, the edit
// was made: the response to a first attempt was lost. Title, link and image stay as posted, because address, votes and comments are about
// them.
//
// # Deleting
//
// Deleting empties the row in the same transaction: text, title, link, and of a post the row in post_texts. author_id and author_name stay
// for the karma of votes that are not folded yet; forgetAuthor removes them from every row that is read. The indexes and conditions of
// listings leave out posts that are not published. Only the votes consumer writes the hot sets: a message asks it for a fold, and the fold
// removes the post. A draft was never public, so its row is deleted. For a day deleted_drafts records who deleted it. So a second deletion,
// or one after a lost response, returns the same to the author. Visitors may be shown the edge's copy of a page for as long as its cache
// class allows (a thread: 30 s, and once more within 5 minutes).
//
// # The same thing
//
// posts.link_key says what a post is about. It is the key (weburl.Key) of the link or image. A crosspost has the key of its original, and
// a text without a link gets the key post:<id> when it is crossposted. One index serves three reads. The first is the bounded count on a
// post's page. The second is /discussions, which reads every shard at once; its address has the key, so no shard has to be asked first.
// The third is the check whether the link was posted to the community recently, which is part of the inserting statement. A crosspost has
// a copy of the original's title, author and address, because it may live on another shard. Deleting the original empties the copies on
// its shard in the same transaction, and the work update empties those on other shards. Until that is done, the deleted post keeps its
// link_key, because the work finds them by it.
//
// # The parts of a post
//
// A post has a text, a link or an image, or several of them; all are kept and shown. kind is the first that it has of link, image and text.
// The title is a link to the link, else to the image, else to the post's page, and the domain is that of the same address. A link's preview
// shows no picture where the post has its own image. In the form a field that is not empty always shows, whatever tab is chosen.
//
// # Drafts and scheduled posts
//
// Both are rows of posts with another status. No listing, vote or comment can reach them, and only their author can open their address.
// Publishing sets created_at, hot and age to the current time, adds the author's vote and leaves the work link in the same transaction. The
// id stays, because listings sort by created_at and use ids for ties alone. The slug follows the title until then. /drafts and the pages
// below it list a member's own posts by status, the newest first (data/lists/listings/own_list.go). Each list is a range of the index
// posts_own on every shard, or of posts_by for published and archived posts. It is read again for each page. web/autosave.js saves the form
// of a post on the device. It also saves it on the site by the actions POST /drafts and POST /draft, which send the draft's revision. So a
// draft that was changed elsewhere is not overwritten. Changes of a scheduled post are saved on the device only, so that half an edit is
// never published. For other users, every action on a draft behaves as if the draft did not exist: 404, and a form with only what was
// typed. Publishing a link makes the same checks as submitting one, in the transaction that saves. It saves nothing until the author has
// answered them. Each minute PublishDue publishes the posts that are due, from the front of a partial index. The directory knows which
// authors are active. Scheduled posts of other authors become drafts again.
//
// # Pinned posts
//
// Pinned posts (posts.pinned_at) are read with a community's first page, in the same request, and remembered with it.
package posts
