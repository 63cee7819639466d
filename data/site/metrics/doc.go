// Package metrics counts a site's work, for /admin/health: requests by class, their times, rows, Redis commands and errors. An instance
// adds up in memory, and writes one row for each five minutes after a response. So no request waits for it, and nothing depends on it. An
// instance that ends before that loses its counts, so the numbers are a little low.
//
// Begin with Recorder and Store.Save; Store.Compact merges rows into longer spans. If Analytics Engine is bound, an instance also sends
// each batch there (Analytics).
package metrics
