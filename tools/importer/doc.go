// Package importer writes communities, posts and comments of other sites into Plaza's tables. It reads dumps as streams and writes through
// database/sql. It is native code, for plaza import and plaza dev.
//
// The idea: each row has a unique source, so an import skips what is there, and can be interrupted and run again. Rows are written in the
// order of the pages that they change, because that is most of the cost.
//
// Begin with Import (importer.go) and insert.go. Authors are members without a password (account.go). docs/inside/tools.md says why.
package importer
