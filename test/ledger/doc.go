// Package ledger performs every kind of write that a site acknowledges while parts of the site fail, and compares what was acknowledged
// with what the databases hold: once if it was acknowledged, at most once if it was not.
//
// A FaultySite has a sqld for each database, and proxies before them and Redis. An Act is one kind of write, sent as a browser's form.
// A Fault fails a part while acts run (Run). Refused forms are sent again with their token. A route that writes needs an act, or a reason
// in leftOut. Begin with Run, or:
//
//	PLAZA_FAULTS=10 go test ./test/ledger -run TestFaults -v -timeout 60m
package ledger
