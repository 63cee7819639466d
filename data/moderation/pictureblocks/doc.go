// Package pictureblocks keeps which pictures must not come again, on the site or in a community, and finds them where they are already.
//
// A block has the sum of a picture and the hash that its uploader's browser gave (package pictures). Both are in the directory, where
// pictures.Store asks for them: when a picture is uploaded, and when a form names it. A picture without a hash is blocked by its sum
// alone.
//
// # Finding
//
// A new block looks for the same and similar pictures among all that the site has, and for the posts and comments that show them. These
// come into the queue as if an automatic rule had hit them, with Title as its title and the block's id as its id. One run finds at most so
// many pictures and uses (seekMax). If it fails, the block is there, and blocking again finds them.
package pictureblocks
