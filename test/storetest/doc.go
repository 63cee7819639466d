// Package storetest has helpers for the tests of stores: all stores on fresh databases (Open), many members and votes, faults in calls to a
// database (Trouble), query plans (CheckPlans) and the sources of the repository (GoFiles). Only tests import it.
//
// Its own tests are model tests: they run random histories of actions on the real stores, and compare the results with a simple model. Each
// package of stores has a TestPlans. It refuses table scans, and sorting where an index has the order; exceptions have a reason.
//
// With PLAZA_SHARDS=3 the stores use a directory and three shards. Begin with Open (stores.go).
package storetest
