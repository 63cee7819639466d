#!/usr/bin/env bash
# Makes build/faults for the tests on Node, after ./build.sh:  e2e/builds/build.sh
#   app.wasm and the other modules  the worker of e2e/builds/faults, as worker/edge/build.sh makes them
#   again/                          another build of the same program
#   miniflare.json                  wrangler.toml in the words of Miniflare: reading it takes wrangler a second
# It does nothing when nothing that these are made of has changed.
set -euo pipefail
cd "$(dirname "$0")/../.."
[[ -f build/.inputs ]] || { echo "build/ is missing: run ./build.sh" >&2; exit 1; }
now=$(cat build/.inputs wrangler.toml e2e/builds/build.sh e2e/builds/faults/* | sha256sum)
[[ $(cat build/faults/.inputs 2>/dev/null) != "$now" ]] || exit 0
rm -rf build/faults
worker/edge/build.sh build/faults/plain e2e/builds/faults plain
worker/edge/build.sh build/faults build/faults/plain/app.wasm
worker/edge/build.sh build/faults/again build/faults/plain/app.wasm
node_modules/.bin/node --input-type=module -e '
	import { unstable_getMiniflareWorkerOptions as read } from "wrangler";
	console.log(JSON.stringify(read("wrangler.toml").workerOptions));
' >build/faults/miniflare.json
printf '%s\n' "$now" >build/faults/.inputs
