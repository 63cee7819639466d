// Package edge serves a site on Cloudflare Workers: it connects package worker to the platform. It knows nothing about the site, and no
// other package uses JavaScript. Files that end in _js.go are the program; the others are tested natively.
//
// The idea: one Go instance in each isolate serves all events, each in turns of its own. No code waits for another event's I/O.
//
// Begin with run_js.go, handler_js.go and, on the JavaScript side, worker.mjs and shim/supervisor.mjs, which explains the terms. app/ is
// the deployed command, setup/ builds the site from its variables. Builds for tests are in e2e/builds and bench. docs/inside/requests.md
// says how Go starts from a snapshot and what the edge cache keeps.
package edge
