package stacktest

import (
	"os"
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
