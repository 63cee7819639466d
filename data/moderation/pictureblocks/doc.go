// Package pictureblocks stores which pictures must not come again, on the site or in a community, and finds posts and comments that already
// show them.
//
// A block has the sum of a picture, and the hash that the uploader's browser gave (package pictures). Both are in the directory.
// pictures.Store refuses the same sum when a picture is uploaded, and when a form names it. A hash can be forged, so it decides nothing:
// posts and comments with similar pictures come into the queue.
//
// # Finding
//
// For a new block the package searches all pictures of the site for the same and similar ones, and then for posts and comments that show
// them. These come into the queue as if an automatic rule had hit them: the rule's title is Title, and its id is the block's id. One run
// finds at most seekMax pictures, and as many uses in each database. If it fails, the block stays, and blocking again finds them.
//
// A member or community that is shown by the blocked picture itself loses it at once, because no queue is about them: by a block of the
// site all members and communities, by a block of a community its own icon and banner. The column pictures.taken notes that, and they get
// it back when the block ends. The bytes stay for 30 days at least. Similar ones stay: administrators have a list of them.
package pictureblocks
