// Package pictureblocks stores which pictures are blocked, on the site or in a community, and finds posts and comments that already show
// them. A block has the sum of a picture and the hash that the uploader's browser gave, both in the directory. Only the sum refuses
// pictures. A hash can be forged, so it only adds posts and comments to the queue.
//
// Begin with Store.Block (block.go); seek.go finds what exists. docs/inside/moderation.md says what a block affects.
package pictureblocks
