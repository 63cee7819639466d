#!/usr/bin/env bash
# Every check and test of Plaza, for ./build.sh test, which has built build/ and public/ before. Checks name themselves
# when they fail; the last line counts: N passed, N failed. A check that fails counts as one failed test.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# Databases that are thrown away need no disk: in memory, where there is room for them, the tests take a quarter less time.
memory=/dev/shm
if [[ -z ${TMPDIR:-} && -w $memory ]] && (($(df --output=avail -k "$memory" 2>/dev/null | tail -1) > 4 << 20)); then TMPDIR=$memory; fi
out=$(mktemp -d "${TMPDIR:-/tmp}/plaza-test-XXXXXX")
export TMPDIR=$out
# wrangler and Playwright start many times, and Node compiles them once.
export NODE_COMPILE_CACHE=$out/node
lanes=()
finish() {
	local lane
	for lane in "${lanes[@]}"; do kill -- "-$lane" 2>/dev/null; done
	wait
	rm -rf "$out"
}
trap finish EXIT
trap 'exit 130' INT TERM
node=node_modules/.bin/node
wasm=(env GOOS=js GOARCH=wasm)
# The handlers, whose tests open whole sites.
sites=(./worker ./worker/account ./worker/admin ./worker/community ./worker/inbox ./worker/listing ./worker/moderation ./worker/post ./worker/request)
native=(./data/... ./render ./ranking ./protocol/...)
# Tests with many requests at once, the last two while a community moves.
bursts='TestBursts|TestPictures|TestLinkPreview(Survives)?|TestMembersGoOn|TestMembersDuringAMove'
# What starts goroutines itself, and what they share.
concurrent=(./data ./test/storetest ./data/wire/breaker ./data/pace/semaphore ./data/pace/batch ./data/site/health ./data/wire/hrana ./data/random ./data/wire/upstash ./data/pace/deadline ./stack/...)

say() { printf '==> %s\n' "$*"; }
now() { date +%s; }
passed=0 failed=0 # of a lane
# check NAME COMMAND...: says how long it took, and what it printed when it failed.
check() {
	local name=$1 start
	start=$(now)
	shift
	local log=$out/check.$BASHPID
	if "$@" >"$log" 2>&1; then
		say "$name: ok ($(($(now) - start)) s)"
	else
		say "$name: FAILED"
		sed 's/^/    /' "$log"
		failed=$((failed + 1))
	fi
}

formatted() {
	local files
	files=$(find . -name '*.go' ! -path './node_modules/*' ! -path './.*' -print0 | xargs -0 gofmt -l) || return
	[[ -z $files ]] || { echo "gofmt these: $files"; return 1; }
	# Lines end at 140 characters. Only what tests quote may be longer.
	files=$(find . -name '*.go' ! -name '*_test.go' ! -name assets.go ! -path './node_modules/*' ! -path './.*' ! -path '*/testdata/*' -print0 |
		LC_ALL=C.UTF-8 xargs -0 grep -nE '^.{141}' | cut -c1-100)
	[[ -z $files ]] || { echo "break these lines: $files"; return 1; }
}
# For js/wasm only where files differ. go vet would type-check all that they import once more, for a minute where nothing is cached.
static() {
	go build -o "$out/staticcheck" honnef.co/go/tools/cmd/staticcheck &&
		"$out/staticcheck" ./... && "${wasm[@]}" "$out/staticcheck" ./worker/edge/... ./e2e/builds/... ./bench/edge/stock ./bench/votes/inline ./data/wire/hrana ./data/wire/upstash ./data/pace/deadline
}
# What the handlers are made of must not know the platform: it is tested natively.
pure() {
	local found
	found=$(go list -deps ./worker ./worker/edge/setup "${native[@]}" | grep -E '^(syscall/js|github.com/syumai/workers)' || true)
	[[ -z $found ]] || { echo "worker, data, render or ranking depends on: $found"; return 1; }
	# Isolates of a build share what math/rand and hash/maphash draw by themselves (data/random), so nothing that goes into the worker uses them.
	found=$("${wasm[@]}" go list -deps -f '{{.ImportPath}}:{{range .Imports}} {{.}}{{end}} ' ./worker/edge/app |
		grep '^plaza/' | grep -v '^plaza/data/random:' | grep -E ' (math/rand|math/rand/v2|hash/maphash) ' | cut -d: -f1)
	[[ -z $found ]] || { echo "use data/random in place of math/rand and hash/maphash: $found"; return 1; }
}
assets() {
	[[ -z ${PLAZA_ASSETS_BEFORE:-} || $PLAZA_ASSETS_BEFORE == "$(cksum <render/ui/assets.go)" ]] ||
		{ echo "render/ui/assets.go was stale; go run ./cmd/assets made it anew: commit it"; return 1; }
}
# docs/performance.md and docs/cost.md say what bench/report.json does. Nothing is measured.
reported() {
	"$node" bench/report.mjs --check
}
scripts() {
	local file
	for file in public/push/*.js; do "$node" --check "$file" || return; done
}
# The platform takes 64 MiB of modules, uncompressed. Half of that is our own bound.
deployable() {
	CI=1 "$node" node_modules/wrangler/bin/wrangler.js deploy --dry-run --outdir "$out/deploy" || return
	# The gateway is to start at once, so nothing large may be in it.
	CI=1 "$node" node_modules/wrangler/bin/wrangler.js deploy --dry-run --config wrangler.gateway.toml | tee "$out/gateway" || return
	grep -qE 'Total Upload: [0-9]{1,2}(\.[0-9]+)? KiB' "$out/gateway" || { echo "the gateway has 100 KiB or more"; return 1; }
	local bytes
	bytes=$(wc -c <"$out/deploy/app.wasm")
	((bytes < 32 << 20)) || { echo "app.wasm has $bytes bytes, more than $((32 << 20))"; return 1; }
}

# go_tests NAME PACKAGES AND FLAGS...: runs tests and adds up what they count. The package named first starts first.
go_tests() {
	local name=$1 p f start
	start=$(now)
	shift
	say "$name"
	# The heaps of tests are small: at 100 they would be swept all the time.
	GOGC=400 go test -json -vet=off -shuffle=on -timeout=60m "$@" >"$out/$lane.json" 2>"$out/$lane.err"
	"$out/plaza" tally "$out/$lane.json" >"$out/$lane.tally"
	sed '$d' "$out/$lane.tally"
	[[ ! -s $out/$lane.err ]] || sed 's/^/    /' "$out/$lane.err"
	read -r p f < <(tail -1 "$out/$lane.tally")
	passed=$((passed + p)) failed=$((failed + f))
	say "$name: $p passed, $f failed ($(($(now) - start)) s)"
}
# node_tests NAME FILES...: runs test files one after the other and adds up what they count.
node_tests() {
	local name=$1 p f start
	start=$(now)
	shift
	if [[ ! -e $1 ]]; then
		say "$name: there are none"
		return
	fi
	say "$name"
	"$node" --test --test-concurrency=1 --test-reporter=dot --test-reporter-destination=stdout \
		--test-reporter=tap --test-reporter-destination="$out/$lane.tap" "$@" 2>&1
	p=$(sed -n 's/^# pass //p' "$out/$lane.tap")
	f=$(sed -n 's/^# fail //p' "$out/$lane.tap")
	c=$(sed -n 's/^# cancelled //p' "$out/$lane.tap")
	passed=$((passed + ${p:-0}))
	failed=$((failed + ${f:-1} + ${c:-0}))
	say "$name: ${p:-0} passed, $((${f:-1} + ${c:-0})) failed ($(($(now) - start)) s)"
}
# in_chromium FILES...: tests in Chromium, against a plaza dev of their own, with the content that every clone has.
in_chromium() {
	local port dev
	port=$("$node" --input-type=module -e 'import { freePort } from "./e2e/edge/harness.mjs"; console.log(await freePort())')
	PLAZA_DEMO_DATA=cmd/plaza/sample build/plaza dev --port "$port" --data "$out/dev.$lane" >"$out/$lane.out" 2>"$out/$lane.err" &
	dev=$!
	until grep -q '^Plaza is ready' "$out/$lane.out" || ! kill -0 "$dev" 2>/dev/null; do sleep 0.1; done
	if ! kill -0 "$dev" 2>/dev/null; then
		say "plaza dev: FAILED"
		sed 's/^/    /' "$out/$lane.err"
		failed=$((failed + 1))
		return
	fi
	BASE_URL="http://localhost:$port" PLAZA_ENV="$out/dev.$lane/worker.env" node_tests "e2e in Chromium" "$@"
	check "plaza dev ends cleanly" sh -c "kill -TERM $dev"
	wait "$dev" || { say "plaza dev ended with $?"; failed=$((failed + 1)); }
}

stores() { go list "${sites[@]}" ./data/... | grep -vxF -f <(go list "${concurrent[@]}"); }
# of_stores: the worker and its stores on one database and then on a directory and three shards, unless another number was asked for.
of_stores() {
	local shards=${PLAZA_SHARDS:-3} packages again
	mapfile -t packages < <(stores)
	# Without what needs no more than a thread or the directory, and what the race detector sees with that many shards.
	again="^($bursts|TestThreadWalk|TestThreadWalkOfLongComments|TestThreadOracle|TestAPageIsBoundedInBytes|TestAnswersOfProvidersThatAreRefused|TestSigningInByAProvider|TestPush)\$"
	PLAZA_SHARDS=1 PLAZA_SHARDS_AGAIN=$shards PLAZA_SKIP_AGAIN=$again go_tests "go test of the worker and its stores, 1 and $shards shards" "${packages[@]}"
}

of_others() {
	local packages
	mapfile -t packages < <(go list ./... | grep -vxF -f <(stores))
	PLAZA_SHARDS=1 go_tests "go test of all others" "${packages[@]}"
}

checks() {
	check "gofmt" formatted
	check "assets are current" assets
	check "scripts of pages" scripts
	check "purity" pure
	check "go vet" go vet ./...
	check "staticcheck" static
	check "documents of the last report" reported
}

# of_races: what runs several goroutines at once, with the race detector, on a directory and three shards, unless another number was asked for.
of_races() {
	local race=()
	local -x PLAZA_SHARDS=${PLAZA_SHARDS:-3}
	if [[ $(go env CGO_ENABLED) == 1 ]] && command -v "$(go env CC)" >/dev/null; then race=(-race); else say "without the race detector: it needs a C compiler"; fi
	# The skipped tests do one thing after the other, and take long.
	go_tests "go test, $PLAZA_SHARDS shards, race detector" "${race[@]}" -skip '^(TestEveryStatementIsExplained|TestOracle|TestAnswers)$' "${concurrent[@]}"
	go_tests "many requests at once, $PLAZA_SHARDS shards, race detector" "${race[@]}" -run "^($bursts)\$" ./worker ./worker/post ./tools/mover
}

of_the_edge() {
	check "build with faults" worker/edge/build.sh "$out/faults" e2e/builds/faults
	export PLAZA_FAULTS_APP=$out/faults/app.wasm PLAZA_SITE_APP=$PWD/build/app.wasm
	check "wrangler deploy --dry-run" deployable
	node_tests "edge tests on workerd" e2e/edge/*.test.mjs
}

# Both on build/plaza.
of_faults() { node_tests "failing databases" e2e/faults/*.test.mjs; }
of_providers() { node_tests "logging in with a provider" e2e/auth/*.test.mjs; }
of_the_gallery() {
	go build -o build/assets ./cmd/assets
	node_tests "every kind of page by axe and a second engine" e2e/gallery/*.test.mjs
}

# pages_of N: every other test file of Chromium, from the first or the second on.
pages_of() {
	local files=(e2e/*.test.mjs) i half=()
	for ((i = $1 - 1; i < ${#files[@]}; i += 2)); do half+=("${files[i]}"); done
	in_chromium "${half[@]}"
}

# lane NAME: runs a function in a process group of its own, and keeps what it counted.
lane() {
	: >"$out/$1.log" # before the lane begins: it is followed at once
	set -m
	{
		set +m
		lane=$1
		"$lane"
		echo "$passed $failed" >"$out/$lane.count"
	} >"$out/$1.log" 2>&1 &
	set +m
	lanes+=($!)
}

# The gallery comes first, so that no more than two Chromiums run at once; of the rest the longest package does.
go_lane() { of_the_gallery; of_stores; checks; }
edge_lane() { of_the_edge; of_faults; of_providers; pages_of 1; }
race_lane() { of_others; of_races; pages_of 2; }

# Tests wait for a browser, a clock or each other for much of their time. Three lanes, about as long as each other, fill two cores.
names=(go_lane edge_lane race_lane)
go build -o "$out/plaza" ./cmd/plaza && cp "$out/plaza" build/plaza
for name in "${names[@]}"; do lane "$name"; done
tail -n +1 --pid="${lanes[0]}" -f "$out/go_lane.log"
wait "${lanes[@]}" 2>/dev/null
for name in "${names[@]:1}"; do cat "$out/$name.log"; done
lanes=()
for name in "${names[@]}"; do
	read -r p f <"$out/$name.count" || p=0 f=1
	passed=$((passed + p)) failed=$((failed + f))
done
printf '%d passed, %d failed\n' "$passed" "$failed"
[[ $failed == 0 ]]
