// Package timelines keeps the entries that members read at /home: posts of the authors whom they follow. They are written when a post is
// published, for authors of up to Threshold followers; posts of the others are merged when a page is read. Entries are in the directory,
// and package listings reads them (home.go).
//
// Begin with Store.FanOut (fanout.go). All writes are jobs of the outbox, which may be repeated. docs/inside/lists.md says why nothing is
// lost.
package timelines
