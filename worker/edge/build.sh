#!/usr/bin/env bash
# Produces what wrangler.toml deploys:  worker/edge/build.sh OUT [PROGRAM] [plain]
#   OUT/app.wasm      the Go program, which goes on from a snapshot of its start (pack/). PROGRAM is its folder, another than app/ for tests
#                     and measurements, or an app.wasm that was made before: plain, or beside its app.json
#   OUT/app.json      what the snapshot holds of JavaScript (shim/snapshot.mjs); worker.mjs has it
#   OUT/wasm_exec.js  the compiler's own glue, so that the two always fit; the library's copy differs from it only by a
#                     proxy that adds `context` to the global object, which shim/supervisor.mjs does for the start alone
#   OUT/worker.mjs    worker.mjs and shim/ in one file, with esbuild
#   OUT/gateway.mjs   what may stand in front of worker.mjs, as another worker (gateway.mjs)
# plain makes app.wasm and wasm_exec.js alone, without a snapshot, for a program that is not served by package edge.
# Files that have not changed are left alone, so that a running `wrangler dev` only reloads for a reason.
set -euo pipefail
out=$(mkdir -p "$1" && cd "$1" && pwd)
program=${2:-worker/edge/app} plain=${3:-}
cd "$(dirname "$0")/../.."

put() { if cmp -s "$1" "$2"; then rm "$1"; else mv "$1" "$2"; fi; }

compile() {
	# Go ignores -gcflags for a package that does not exist, so each name of ours is looked up.
	# Without inlining in these packages, in which no page spends much of its time, the module is a fifth smaller, its start takes a
	# seventh less, and pages are no slower (./build.sh bench). What a page's time goes to, the runtime, bytes, strings and
	# data/wire/hrana, keeps it.
	small=()
	own=(plaza/{worker,render}/{account,admin,community,inbox,listing,moderation,post} plaza/worker/{request,view,decision}
		plaza/render/{feeds,markdown,ui} plaza/{worker,data,data/wire/upstash,protocol/...,data/events/...,data/rights/...,data/moderation/...})
	go list "${own[@]}" >/dev/null
	for package in "${own[@]}" fmt log/... encoding/... regexp/... text/... html/... mime/... net/mail math/big crypto/... maragu.dev/... github.com/yuin/...; do
		small+=("-gcflags=$package=-l")
	done
	# What an interrupted build has left has the build ID of the same program, packed or cut short: Go would take it as it is.
	rm -f "$out/.app"
	GOOS=js GOARCH=wasm go build -trimpath -ldflags "-s -w" "${small[@]}" -o "$out/.app" "./$program"
}

# snapshot starts the program and has it go on from there (shim/snapshot.mjs).
snapshot() {
	local work=$out/.snapshot
	rm -rf "$work"
	mkdir -p "$work/out"
	go run ./worker/edge/pack export-globals "$out/.app" "$work/exports_globals.wasm"
	cp "$(go env GOROOT)/lib/wasm/wasm_exec.js" worker/edge/snapshot/snapshot.capnp "$work"
	# The seed: secret bytes that each build draws anew, for what Go's runtime draws at its start (shim/runtime.mjs).
	od -An -N32 -tx1 /dev/urandom | tr -d ' \n' >"$work/seed"
	node_modules/.bin/esbuild worker/edge/snapshot/take.mjs --bundle --format=esm --log-level=warning \
		--external:./wasm_exec.js --external:./exports_globals.wasm --outfile="$work/take.mjs"
	node_modules/.bin/workerd test "$work/snapshot.capnp" --directory-path "out=$work/out" 2>"$work/log" || { cat "$work/log" >&2; exit 1; }
	go run ./worker/edge/pack insert-snapshot "$out/.app" "$work/out"
	mv "$work/out/snapshot.json" "$out/.app.json"
	rm -r "$work"
}

if [[ $program == *.wasm ]]; then
	cp "$program" "$out/.app"
else
	compile
fi
if [[ -f ${program%.wasm}.json ]]; then
	cp "${program%.wasm}.json" "$out/.app.json"
elif [[ $plain != plain ]]; then
	snapshot
fi
put "$out/.app" "$out/app.wasm"
cp "$(go env GOROOT)/lib/wasm/wasm_exec.js" "$out/.exec"
put "$out/.exec" "$out/wasm_exec.js"
[[ $plain != plain ]] || exit 0
put "$out/.app.json" "$out/app.json"
# What the files of public/_/ are called, in short: shim/cache.mjs compares copies by it.
assets=$( (cd public/_ && LC_ALL=C ls) | sha256sum | cut -c1-10)
bundle=(node_modules/.bin/esbuild --bundle --format=esm --log-level=warning "--define:globalThis.PLAZA_ASSETS=\"$assets\"")
"${bundle[@]}" worker/edge/worker.mjs "--alias:plaza:snapshot=$out/app.json" \
	--external:./wasm_exec.js --external:./app.wasm --external:cloudflare:workers --outfile="$out/.worker"
put "$out/.worker" "$out/worker.mjs"
"${bundle[@]}" worker/edge/gateway.mjs --outfile="$out/.gateway"
put "$out/.gateway" "$out/gateway.mjs"
