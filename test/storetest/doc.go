// Package storetest has helpers for the tests of stores: all stores over fresh databases (Open), members and votes in bulk, faults in calls
// to a database (Trouble), the plans of statements (CheckPlans) and the sources of the whole repository (GoFiles). Only tests import it.
//
// Its own tests are model tests. They run random histories of members' and moderators' actions on the real stores, and compare the results
// with a simple model in memory.
//
// With PLAZA_SHARDS=3 the stores use a directory and three shards. A test about several databases opens them itself.
//
// # Plans
//
// Every package of stores has a test TestPlans. It finds the statements of its package, and sqld explains them. It refuses scans of a
// table, and sorting where an index has the order. Exceptions give their reason.
package storetest
