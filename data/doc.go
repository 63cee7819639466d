// Package data is the kernel of all stores. It reads and writes libSQL (data/wire/hrana), which is the source of truth, and sends each
// statement to its database: the directory, with members and communities, or a thread shard, with posts, comments and votes. It defines
// ids, cursors and the errors of stores. It renders nothing and does not depend on the platform. Clocks and randomness are passed in.
//
// Begin with DB, Read (the statements of a page) and Write (one transaction). docs/inside/placement.md says where a row is, what makes a
// repeated form harmless, and what an instance remembers.
package data
