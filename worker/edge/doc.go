// Package edge serves a site on Cloudflare Workers: it wires package worker to the platform. It contains nothing about the site, and no
// other package uses JavaScript. The files that end in _js.go are the program; the others have no platform in them and are tested natively.
// app/ is the command that is deployed, and setup/ makes the site by its variables. Builds for tests and measurements are commands of their
// own, beside what starts them: e2e/builds/faults, bench/votes/inline and bench/edge/stock.
//
// worker.mjs and shim/ are the JavaScript side. See shim/supervisor.mjs for the terms: many events share one instance of this program, each
// has turns in it.
//
// # One Go instance, many requests
//
// Starting Go costs milliseconds, so the shim (worker.mjs) has one instance an isolate and sends every event into it. What keeps
// concurrent requests apart:
//
//   - Turns. While an event or one of its callbacks runs, it is that event's turn. The transport refuses I/O in another's turn. Go code on
//     the request path therefore holds no lock across I/O and sets no Go timer: a timer would fire in some other request's event. Waiting
//     between retries is Config.Sleep, a function of the shim; time limits are AbortSignal.timeout in the shim.
//   - Death. A panic in a handler is recovered and costs its own request. What can't be recovered (exit, trap, out of memory) ends the
//     instance: requests in flight get a 500 page, each in its own event, and the next event makes a new one.
//   - Recycling. After a number of requests or a size of memory a new instance takes over while the old one drains (shim/limits.mjs).
//   - One write. A page is rendered into a buffer and leaves in one piece, so a late error is an error page.
//
// The module must not link *http.Client: it brings TLS and HTTP/2, 2.6 MB that never run. data/wire/hrana and data/wire/upstash take an
// interface instead. pack takes 3.4 MB of what Go's linker writes out of the module: a table that is a count, which a start function of 36
// bytes writes.
//
// # The start
//
// Go's runtime and packages start at build time. snapshot/take.mjs runs app.wasm on workerd as far as waitForBegin (run_js.go), where Go
// has no environment yet. pack writes the memory and the globals of that moment into app.wasm. app.json says which JavaScript values Go
// held: functions of the shim and of the platform, by their names, and Go's callbacks. An instance begins with that memory, looks the
// values up (shim/snapshot.mjs), and is told to begin: it reads the variables and secrets and opens the site, whose routes the snapshot
// has (worker.Prepare). So an instance costs nothing for what packages do as they initialise, and app.wasm is as large as its code and what
// that has left in memory. Both say the SHA-256 of that memory, and a start compares them.
//
// The first instance of an isolate begins in the worker's global scope. Cloudflare runs that when it makes an isolate, does not count it as
// part of a request, and allows it one second of CPU time. The first request then finds Go running. On the platform the global scope has no
// clock, no random bytes and no timers. Until the start is over, at build time and there, Go gets something else from the shim
// (shim/runtime.mjs):
//
//   - Variables and secrets come from the module cloudflare:workers and not from an event. At build time there are none, so no secret of
//     the site can be in a snapshot.
//   - The clock that measures durations stands still until the first event. The time of day is 1970. So nothing that is made at the start
//     may keep a time.
//   - Timers never fire.
//   - Random bytes. Go's runtime asks once, for 32 bytes, at build time. It gets the seed: 32 bytes that build.sh takes from /dev/urandom.
//     Each build has another seed, and none is ever committed. What the runtime has made of it is in app.wasm, which is as secret as the
//     seed. Any other question for random bytes fails the build, or ends the start in the global scope. So what comes from crypto/rand
//     always comes from the platform, within an event. Go keeps no random bytes in store: each call of crypto/rand asks the platform anew.
//
// All instances of a build have the same seed. What the runtime makes of it is secret but not different in each: the hashes of maps and the
// order in which they are walked, the choices of select, and the numbers of math/rand's own functions. Who knew the seed could find keys
// that fall into one place of a map. Nothing else depends on it. Ids, jitter and orders take their numbers from data/random, which seeds
// itself from crypto/rand when the first number is asked for. ./build.sh test refuses math/rand and hash/maphash in all others, and
// e2e/edge/start.test.mjs compares instances and isolates of one build.
//
// When the start in the global scope fails for any reason, the shim logs why and the site begins with the first event, as in every later
// instance. The reason may be a variable that is missing or a platform that shows no variables.
//
// V8 compiles a function of the module when it is called first. So the first page of an isolate takes several times the CPU time of a later
// one. A start that makes pages to have these functions compiled takes more than it saves (docs/performance.md).
//
// # Pictures
//
// No byte of an uploaded picture comes here. At the addresses that the routes table marks, the shim reads a form with files itself
// (shim/form.mjs) and takes the metadata out (shim/picture.mjs, without decoding). Go gets the texts as any form's, and in a header that no
// client can set what each picture is (package pictures). While it answers, it has the shim put those it wants into the bucket
// (shim/bucket.mjs); the others are forgotten with the turn. The shim serves pictures from the bucket without Go (shim/served.mjs) and lets
// tools at the bucket by a secret (shim/tools.mjs). Forms with pictures share room in the isolate (shim/room.mjs).
//
// A picture of another server, which /img/ passes on, stays in the shim as well (links.KeepReply): Go is told what it is, and answers with
// a header that puts the picture in place of the body. Only AVIF and damaged ones come here, since Go reads them more leniently.
//
// # The edge cache
//
// The cache class is a column of the routes table. Visitors' answers say s-maxage; the shim stores them under the normalised URL and serves
// them without entering Go, stale ones while one request renews them. A request with a session cookie or the header Authorization never
// touches the cache, and every other answer says private, no-store. Pictures of posts, under /img/, are the exception for cookies: they are
// the same for everybody, and Go is not told who asks. Of visitors' other cookies Go sees one: display, which has the density and theme
// that somebody has chosen. It is a part of the key where it has one of the eight values that are not the usual.
//
// Each page has one address. Without this, a thread with ?x=1, ?x=2 and so on would enter Go and read 2,400 rows for each of them. So the
// routes table names the parameters of each cached page behind its pattern; worker/request/query.go has the shapes of their values.
// shim/table.mjs is generated from that, and shim/address.mjs writes every address in one way: names of communities and members in lower
// case, no unneeded escapes, only known parameters, each once and in a fixed order, and ! for every invalid value. Go ignores parameters
// that the cached page doesn't know. A 400 or 404 at a cached address is kept for ten seconds. There is no redirect to the normalised
// address, because it would cost another request; the page's canonical link names that address.
//
// Conditional requests are answered at the edge (shim/cache.mjs), for everything that it keeps. The ETag is the hash of the answer.
// Last-Modified is when this edge first had an answer with that tag: a renewal that brings the same answer keeps the time.
//
// The same code may run in another worker in front (gateway.mjs), which has no Go to start and asks this one's entrypoint Site.
//
// The edge serves a visitor the copy it has, however old, when Go takes longer than a second, and renews it in the background. A member
// whose page ends in 503 reads that copy as well, with a note; it is kept nowhere.
package edge
