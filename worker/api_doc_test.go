package worker_test

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/worker"
)

// TestActionsAreDocumented holds docs/api.md to the routes table: every action has its
// line there, with its limit and the scope that a token needs.
func TestActionsAreDocumented(t *testing.T) {
	doc, err := os.ReadFile("../docs/api.md")
	require.NoError(t, err)
	lines := map[string]string{}
	for _, line := range strings.Split(string(doc), "\n") {
		if name, ok := strings.CutPrefix(line, "| `POST "); ok {
			name, _, _ = strings.Cut(name, "`")
			require.NotContains(t, lines, name)
			lines[name] = line
		}
	}
	for _, r := range worker.Actions() {
		if r.Method == http.MethodGet {
			continue
		}
		require.Contains(t, lines, r.Pattern, "docs/api.md lacks %s %s", r.Method, r.Pattern)
		scope := " |"
		if r.Scope != 0 {
			scope = " `" + r.Scope.String() + "` |"
		}
		require.True(t, strings.HasSuffix(lines[r.Pattern], "| "+limitText(r.Max, r.Per)+" |"+scope), r.Pattern)
		delete(lines, r.Pattern)
	}
	require.Empty(t, lines, "docs/api.md tells of actions that there are not")
	text := strings.Join(strings.Fields(string(doc)), " ")
	for _, young := range worker.YoungLimits() {
		require.Contains(t, text, young)
	}
}

func limitText(times int, per time.Duration) string {
	switch per {
	case time.Minute:
		return fmt.Sprintf("%d a minute", times)
	case time.Hour:
		return fmt.Sprintf("%d an hour", times)
	}
	return fmt.Sprintf("%d in %d minutes", times, int(per/time.Minute))
}
