package wiki_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"plaza/data/content/wiki"
)

var marks = map[string]string{wiki.Same: " ", wiki.Added: "+", wiki.Removed: "-", wiki.Gap: "…"}

func drawn(lines []wiki.Line) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(marks[l.Kind] + l.Text + "\n")
	}
	return b.String()
}

func TestDifference(t *testing.T) {
	for _, tt := range []struct{ name, before, after, shows string }{
		{"equal texts", "a\nb", "a\nb", ""},
		{"a line in the middle", "a\nb\nc\nd\ne\nf\ng", "a\nb\nc\nX\ne\nf\ng", "…\n b\n c\n-d\n+X\n e\n f\n…\n"},
		{"lines at the end", "a", "a\nb", " a\n+b\n"},
		{"everything", "a", "b", "-a\n+b\n"},
		{"a line that moved", "a\nb\nc", "b\nc\na", "-a\n b\n c\n+a\n"},
		{"two places", "1\n2\n3\n4\n5\n6\n7\n8", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "…\n 7\n 8\n+9\n+\n"},
	} {
		t.Run(tt.name, func(t *testing.T) { require.Equal(t, tt.shows, drawn(wiki.Difference(tt.before, tt.after))) })
	}
}

// TestDifferenceHasBothTexts: equal and added lines are the later text, in its order, except for gaps.
func TestDifferenceHasBothTexts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.Custom(func(t *rapid.T) string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", ""}), 1, 8).Draw(t, "lines"), "\n")
		})
		before, after := text.Draw(t, "before"), text.Draw(t, "after")
		follows := func(whole, without string) {
			rest := strings.Split(whole, "\n")
			for _, l := range wiki.Difference(before, after) {
				if l.Kind == without || l.Kind == wiki.Gap {
					continue
				}
				for len(rest) > 0 && rest[0] != l.Text {
					rest = rest[1:]
				}
				if len(rest) == 0 {
					t.Fatalf("%q is not of %q in its order", l.Text, whole)
				}
				rest = rest[1:]
			}
		}
		follows(before, wiki.Added)
		follows(after, wiki.Removed)
		if (len(wiki.Difference(before, after)) == 0) != (before == after) {
			t.Fatal("a difference is not shown")
		}
	})
}

// TestDifferenceIsBounded compares the longest texts without any equal line.
func TestDifferenceIsBounded(t *testing.T) {
	var before, after strings.Builder
	for n := range wiki.TextMax / 5 {
		fmt.Fprintf(&before, "%04d\n", n)
		fmt.Fprintf(&after, "x%03x\n", n)
	}
	began := time.Now()
	lines := wiki.Difference(before.String(), after.String())
	t.Log(time.Since(began))
	require.Len(t, lines, 500+1+500+1+1) // they end with the same empty line
	for _, n := range []int{500, 1001} {
		require.Equal(t, wiki.Line{Kind: wiki.Rest}, lines[n])
	}
	require.Equal(t, wiki.Line{Kind: wiki.Added, Text: "x000"}, lines[501])
}
