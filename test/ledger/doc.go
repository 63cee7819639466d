// Package ledger performs every kind of write that a site acknowledges, while parts of the site fail, and compares afterwards what was
// acknowledged with what the databases hold.
//
// A World is a whole site. Each of its databases is a sqld of its own, and proxies stand before the databases and before Redis. An Act is
// one kind of write, by the form that a browser sends: a line in a table. A route that writes has an act, or a reason in leftOut.
//
// A Fault fails a part of the site while acts are under way (Run). A form that was refused is sent again, with the token that it had. Some
// are given up. Meanwhile people read pages, vote and comment, and the longest time that each of them waits is kept. When the fault is
// over, the job of each minute and the queues run until no work is left. Then every form must have been carried out once if it was
// acknowledged, and at most once if it was not.
//
//	PLAZA_FAULTS=10 go test ./test/ledger -run TestFaults -v -timeout 60m
//
// does each act ten times under each fault. ./build.sh faults 10 does the same and writes the table into docs/faults.md.
package ledger
