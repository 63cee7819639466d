package decision_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza"
	"plaza/data/events/modlog"
	"plaza/worker/decision"
)

// TestNotifiedDecisionsHaveATextForTheMember: without one, the entry of the inbox would look like a comment.
func TestNotifiedDecisionsHaveATextForTheMember(t *testing.T) {
	t.Parallel()
	list := regexp.MustCompile(`TRIGGER IF NOT EXISTS moderation_log_notified [^(]*\(([^)]*)\)`).FindStringSubmatch(plaza.Triggers)
	require.Len(t, list, 2, "triggers.sql has moderation_log_notified with a list of actions")
	for _, quoted := range strings.Split(list[1], ", ") {
		action := modlog.Action(strings.Trim(quoted, "'"))
		for _, comment := range []bool{false, true} {
			if comment && action == modlog.Title { // comments have none
				continue
			}
			require.NotEmpty(t, decision.Text(action, comment, "gophers", true), "worker/decision/decision.go has no text for %s", action)
		}
	}
}
