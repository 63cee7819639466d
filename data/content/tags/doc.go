// Package tags keeps the tags of posts: which are valid, how they are spelled, who follows which, and lists of tags. The column posts.tags
// has a post's tags in one spelling: lower case, sorted, one space between them, accents joined with their letters (NFC). Triggers write
// post_tags from it, by which package listings finds posts.
//
// Begin with Parse (tag.go) and Store (store.go). docs/inside/content.md says how posts of several tags are found.
package tags
