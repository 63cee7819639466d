// Package metrics counts what a site does, for /admin/health: requests by class, how long they took, rows, Redis commands and errors.
//
// An instance adds up in memory (Recorder). What belongs to the same five minutes is one Batch, which the instance writes into the
// directory as one row when the five minutes are over (Store.Save). It does so after an answer has left, so no request waits for it, and
// nothing of the site depends on it. A row has the name of its instance and its time, so writing it twice changes nothing. After a write
// that failed, a batch is left out where its time was merged meanwhile: it may have been written, and counts once or not at all.
//
// A job of each five minutes merges these rows (Store.Compact): those of all instances into one for the site, these into hours, and hours
// into days. Days are deleted after a month (Store.Purge), and so are rows of instances that no job has merged (Store.Save). So the table
// has a few hundred rows, and the page reads a few dozen.
//
// What an instance has counted is lost when the platform ends it before the five minutes are over. So is what the shim has counted and not
// handed over yet. The numbers are therefore a little low, and those of a site with few visitors are lower than those of a busy one.
//
// If Analytics Engine is bound, an instance also sends it each batch, a data point a class (Analytics).
package metrics
