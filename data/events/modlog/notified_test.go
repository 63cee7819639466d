package modlog_test

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza"
	"plaza/data/events/modlog"
)

// TestNotifiedActionsAreThoseOfTheTrigger: the trigger enqueues the job, and Go sends its message.
func TestNotifiedActionsAreThoseOfTheTrigger(t *testing.T) {
	t.Parallel()
	list := regexp.MustCompile(`TRIGGER IF NOT EXISTS moderation_log_notified [^(]*\(([^)]*)\)`).FindStringSubmatch(plaza.Triggers)
	require.Len(t, list, 2, "triggers.sql has moderation_log_notified with a list of actions")
	var want, is []string
	for _, quoted := range strings.Split(list[1], ", ") {
		want = append(want, strings.Trim(quoted, "'"))
	}
	for action := range maps.Keys(modlog.Notified) {
		is = append(is, string(action))
	}
	slices.Sort(want)
	slices.Sort(is)
	require.Equal(t, want, is)
}
