package data

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestFoldEvery holds what makes it right to leave out a message: one that was sent is delivered after the commit that relies on it.
func TestFoldEvery(t *testing.T) {
	const every = time.Second
	start := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	t.Run("each commit is followed by a delivery", rapid.MakeCheck(func(t *rapid.T) {
		var f folds
		delivered := map[string]time.Time{} // the last delivery of each message that was sent
		commits := rapid.SliceOfN(rapid.IntRange(0, 800), 1, 200).Draw(t, "milliseconds between commits")
		at := start
		for i, after := range commits {
			committed := at.Add(time.Duration(after) * time.Millisecond)
			asked := committed.Add(time.Duration(rapid.IntRange(0, 300).Draw(t, "until it is asked")) * time.Millisecond)
			body := fmt.Sprint("vote ", i%3)
			for _, due := range f.due([]string{body}, asked, every) {
				taken := asked.Add(time.Duration(rapid.IntRange(0, 500).Draw(t, "until the queue has it")) * time.Millisecond)
				delivered[due] = taken.Add(every + 1)
			}
			require.True(t, delivered[body].After(committed), "nothing folds what was committed at %v", committed)
			at = asked
		}
	}))
	t.Run("one message in the time, for each target", func(t *testing.T) {
		var f folds
		sent := 0
		for i := range 1000 {
			sent += len(f.due([]string{"vote a", "vote b"}, start.Add(time.Duration(i)*10*time.Millisecond), every))
		}
		require.Equal(t, 20, sent, "two targets, ten seconds")
	})
	t.Run("after the clock was set back", func(t *testing.T) {
		var f folds
		require.Len(t, f.due([]string{"vote a"}, start, every), 1)
		require.Len(t, f.due([]string{"vote a"}, start.Add(-time.Hour), every), 1)
	})
	t.Run("forgets what is too old", func(t *testing.T) {
		var f folds
		for i := range 10_000 {
			f.due([]string{fmt.Sprint("vote ", i)}, start.Add(time.Duration(i)*10*time.Millisecond), every)
			require.LessOrEqual(t, len(f.sent), 201)
		}
	})
}
