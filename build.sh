#!/usr/bin/env bash
# Plaza's one entry point. Needs Go, npm and any Node >= 20; installs the rest and says so.
#   ./build.sh [build]             build/ and public/, ready for `wrangler deploy`
#   ./build.sh dev [flags]         the whole site on this machine: --port 8787 --data DIR --fresh --empty --verbose --faults
#   ./build.sh test [--all]        every check and test; the last line counts them. --all proves again what it proves: on three shards,
#                                  with the race detector, in every look, at large sizes
#   ./build.sh faults [N]          each kind of write N times, or without N one in five, while parts of the site fail; writes docs/faults.md
#   ./build.sh bench [--quick]     one report of what the site takes and costs, beside others that do the same (bench/report.mjs)
#   ./build.sh bench NAME [flags]  another measurement: growth (rows, up to 1,000,000 posts), thread (long ones beside short ones), votes
#                                  (votes a second), search (searchers who try to slow down everybody else on 500,000 posts), scrapers
#                                  (2,000 addresses that ask for one page each)
#   ./build.sh deploy [--gateway]  build, then `wrangler deploy`, and with --gateway the gateway after it
set -euo pipefail
export PLAZA_CALLED_FROM=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")"
# Without paths in what is compiled, clones share the cache of compiled packages.
export GOFLAGS=${GOFLAGS:--trimpath}
export GOTOOLCHAIN=${GOTOOLCHAIN:-local} WRANGLER_SEND_METRICS=false NO_UPDATE_NOTIFIER=1

say() { printf '==> %s\n' "$*" >&2; }
die() { printf 'build.sh: %s\n' "$*" >&2; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }
wrangler() { node_modules/.bin/node node_modules/wrangler/bin/wrangler.js "$@"; }

need_go() {
	have go || die "Go is missing: install the version that go.mod names, from https://go.dev/dl/"
	go version >/dev/null 2>&1 || die "the Go on PATH is older than go.mod asks for: $(GOTOOLCHAIN=path go version 2>&1 | tail -1)"
}

# npm ci, when package-lock.json is not the one that was installed.
need_node_modules() {
	local stamp=node_modules/.plaza-installed
	if [[ ! -f $stamp ]] || ! cmp -s package-lock.json "$stamp"; then
		have npm || die "npm is missing: install Node.js 20 or newer, from https://nodejs.org/"
		say "Installing the tools that package-lock.json names (npm ci)"
		npm ci --prefer-offline --no-audit --no-fund --loglevel=error >&2 || die "npm ci failed"
		cp package-lock.json "$stamp"
	fi
	[[ -x node_modules/.bin/node ]] || die "node_modules has no Node 22 for this machine ($(uname -sm)); see optionalDependencies in package.json"
}

# Debian packages for the tests: need_debian PROGRAM PACKAGE
need_debian() {
	have "$1" && return
	local root=()
	[[ $(id -u) == 0 ]] || root=(sudo -n)
	if ! have apt-get || { [[ ${#root[@]} != 0 ]] && ! "${root[@]}" true 2>/dev/null; }; then
		die "$1 is missing, and without apt and root it can't be installed from here: install $2"
	fi
	say "Installing $2 (apt-get)"
	"${root[@]}" env DEBIAN_FRONTEND=noninteractive sh -c "apt-get -qq update && apt-get -qq install -y --no-install-recommends $2" >/dev/null ||
		die "apt-get could not install $2"
}

# The hash of everything that ends up in build/ and public/_/.
inputs() {
	{
		go version
		{
			find go.mod go.sum package-lock.json schema.sql triggers.sql web public cmd/assets worker data locale protocol -type f \
				! -path 'public/_/*' ! -path '*/testdata/*' ! -name '*_test.go' -print0
			# All other Go but the native programs, and what only they use.
			find . -name '*.go' ! -name '*_test.go' ! -path ./render/ui/assets.go ! -path './node_modules/*' ! -path './.*' ! -path './cmd/*' \
				! -path './stack/*' ! -path './ops/*' ! -path './bench/*' ! -path './e2e/*' ! -path './test/*' -print0
		} | sort -zu | xargs -0 sha256sum
	} | sha256sum
}

build() {
	need_go
	need_node_modules
	mkdir -p build
	local now
	now=$(inputs)
	if [[ -f build/app.wasm && -f build/worker.mjs && -d public/_ && $(cat build/.inputs 2>/dev/null) == "$now" ]]; then
		say "build/ and public/ are up to date"
	else
		say "Building assets and the worker"
		go run ./cmd/assets >&2
		worker/edge/build.sh build
		printf '%s\n' "$now" >build/.inputs
	fi
	if [[ ! build/.size -nt build/app.wasm ]]; then
		printf 'app.wasm: %s bytes, %s gzipped\n' "$(wc -c <build/app.wasm | tr -d ' ')" "$(gzip -6 <build/app.wasm | wc -c | tr -d ' ')" >build/.size
	fi
	cat build/.size >&2
}

dev() {
	build
	go build -o build/plaza ./cmd/plaza
	exec build/plaza dev "$@"
}

deploy() {
	local gateway='' config secrets=${PLAZA_SECRETS_FILE:-}
	unset PLAZA_SECRETS_FILE # the build runs other people's programs
	[[ ${1:-} != --gateway ]] || { gateway=yes; shift; }
	build
	say "If there are new steps of the schema, take them first: LIBSQL_URL=... LIBSQL_AUTH_TOKEN=... go run ./cmd/plaza migrate"
	# plaza setup sends secrets along that belong to new addresses, and only to the site.
	wrangler deploy ${secrets:+--secrets-file "$secrets"} "$@"
	if [[ -n $gateway ]]; then
		config=$(sha256sum <wrangler.toml) # plaza setup sees by it whether the gateway was sent after the site (ops/setup/deploy.go)
		wrangler deploy --config wrangler.gateway.toml --var "SITE_CONFIG:${config:0:16}" "$@"
	fi
}

# bench [NAME] [FLAGS]: bench/NAME.mjs, or the report.
bench() {
	local name=report
	if [[ $# -gt 0 && $1 != -* ]]; then
		[[ -f bench/$1.mjs && $1 != site ]] || die "there is no bench/$1.mjs"
		name=$1
		shift
	fi
	build
	go build -o build/plaza ./cmd/plaza
	if [[ $name == report ]] && ! cmp -s bench/peers/package-lock.json bench/peers/node_modules/.plaza-installed; then
		say "Installing what the site is measured against (npm ci in bench/peers)"
		(cd bench/peers && npm ci --omit=optional --no-audit --no-fund --loglevel=error) >&2 || die "npm ci failed in bench/peers"
		cp bench/peers/package-lock.json bench/peers/node_modules/.plaza-installed
	fi
	exec node_modules/.bin/node "bench/$name.mjs" "$@"
}

# faults [N]: every act of the ledger N times under every fault; without N one act in five, as the tests do.
faults() {
	[[ $# -le 1 ]] || die "faults takes a number or nothing"
	need_go
	need_node_modules
	need_debian redis-server redis-server
	PLAZA_FAULTS=${1:-} PLAZA_FAULTS_TABLE=1 go test ./test/ledger -run '^TestFaults$' -v -timeout 120m
}

command=${1:-build}
[[ $# == 0 ]] || shift
case $command in
build) [[ $# == 0 ]] || die "build takes no arguments"; build ;;
dev | bench | deploy | faults) "$command" "$@" ;;
test)
	if [[ $# == 1 && $1 == --all ]]; then
		export PLAZA_ALL=1
	elif [[ $# != 0 ]]; then
		die "test takes --all or nothing"
	fi
	assets_before=$(cksum <render/ui/assets.go)
	need_go
	# This runs while npm waits for the network. The suite then finds the results in the caches of Go and staticcheck, and reports them.
	{ mkdir -p build; go build -buildvcs=false -o build/plaza ./cmd/plaza; go vet ./...; go tool staticcheck ./...; } >/dev/null 2>&1 &
	looking=$!
	build
	need_debian chromium chromium
	need_debian chromium-headless-shell chromium-headless-shell
	need_debian redis-server redis-server
	need_debian shellcheck shellcheck
	. test/suite.sh
	;;
-h | --help | help) sed -n '2,12s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" ;;
*) die "there is no command \"$command\": build, dev, test, faults, bench or deploy" ;;
esac
