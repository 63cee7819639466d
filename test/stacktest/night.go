package stacktest

import (
	"os"
	"strconv"
	"testing"
)

// AllVariable is set by ./build.sh test --all.
const AllVariable = "PLAZA_ALL"

// ByNight leaves the test to ./build.sh test --all. CONTRIBUTING.md lists what does this, with the reasons.
func ByNight(t testing.TB, reason string) {
	t.Helper()
	if !Night() {
		t.Skip("by night (./build.sh test --all): " + reason)
	}
}

// Night tells whether this is ./build.sh test --all.
func Night() bool { return os.Getenv(AllVariable) != "" }

// Large returns how many posts the tests of large sizes make: PLAZA_SLOW, or for 1 the million of docs/performance.md. It is 0 if they are
// not to run.
func Large() int {
	switch n, err := strconv.Atoi(os.Getenv("PLAZA_SLOW")); {
	case err != nil:
		return 0
	case n == 1:
		return 1_000_000
	default:
		return n
	}
}
