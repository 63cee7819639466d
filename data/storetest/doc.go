// Package storetest is what the tests of stores share: all stores over fresh databases (Open), people and votes in numbers, faults on the
// way to a database (Trouble), the plans of statements (CheckPlans) and the sources of the whole repository (GoFiles). Only tests import
// it.
//
// Its own tests are the models: random histories of what members and moderators do, on the real stores, are compared with a plain account
// in memory.
//
// PLAZA_SHARDS=3 has the stores use a directory and three shards. A test that is about several databases opens them itself.
//
// # Plans
//
// The test TestPlans, which every package of stores has, finds the statements of its package by itself and has sqld explain them: no scan
// of a table and no sorting where an index has the order, but for exceptions that give their reason.
package storetest
