// Package storetest has helpers for the tests of stores: all stores over fresh databases (Open), members and votes in bulk, faults in calls
// to a database (Trouble), the plans of statements (CheckPlans) and the sources of the whole repository (GoFiles). Only tests import it.
//
// Its own tests are model tests. They run random histories of members' and moderators' actions on the real stores, and compare the results
// with a simple model in memory.
//
// PLAZA_SHARDS=3 has the stores use a directory and three shards. A test that is about several databases opens them itself.
//
// # Plans
//
// Every package of stores has a test TestPlans. It finds the statements of its package and has sqld explain them. It refuses scans of a
// table, and sorting where an index has the order. Exceptions give their reason.
package storetest
