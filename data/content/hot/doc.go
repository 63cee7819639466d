// Package hot keeps copies of the hot listings in Redis, which may be lost at any time. The index of the database is authoritative, and
// no page waits for Redis. If a set agrees with a page, an instance takes the ids of the next pages from memory.
//
// Begin with Sets.Confirm (known.go), Sets.Apply (set.go) and Sets.RebuildAll (rebuild.go). docs/inside/votes.md says when a set is
// trusted. Upstash bills each command, so this package sends few.
package hot
