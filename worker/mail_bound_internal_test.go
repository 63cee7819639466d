package worker

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data/accounts/credentials"
	"plaza/data/accounts/deletion"
	"plaza/data/accounts/sessions"
	"plaza/data/events/inbox"
	"plaza/data/moderation/legalnotices"
	"plaza/stack"
	"plaza/worker/request"
)

// TestMailBoundsAreInTheDocs: each has its row in docs/operations/mail.md, and each kind with a typed address has a bound.
func TestMailBoundsAreInTheDocs(t *testing.T) {
	root, err := stack.Root()
	require.NoError(t, err)
	docs, err := os.ReadFile(filepath.Join(root, "docs", "operations", "mail.md"))
	require.NoError(t, err)
	bounded := map[string]bool{}
	for _, b := range request.MailLimits {
		bounded[string(b.Kind)] = true
		more := "the same"
		if b.Familiar > 0 {
			more = fmt.Sprint(b.Familiar, " more")
		}
		require.Contains(t, string(docs), fmt.Sprintf("| `%s` | %s | %d | %s |", b.Name, b.Asks, b.Most, more))
	}
	notifies := map[string]bool{string(credentials.MailPasswordChanged): true, string(credentials.MailAddressChanging): true,
		string(sessions.MailMethodChanged): true,
		string(inbox.MailOfThread):         true, string(inbox.MailOfAll): true, string(deletion.MailAccountDeletion): true, "test": true,
		string(legalnotices.MailDecided): true} // to whom has confirmed a notice
	for kind := range new(App).newMailWriters() {
		require.True(t, bounded[string(kind)] != notifies[string(kind)],
			"can strangers ask for %s? If so, request.MailBounds and docs/operations/mail.md need a row; if not, add it to notifies", kind)
	}
}

// TestReachTableOfMailBounds: the row of each kind in docs/reach.md says how many mails a mailbox gets in 24 hours, in the order of
// MailBounds.
func TestReachTableOfMailBounds(t *testing.T) {
	root, err := stack.Root()
	require.NoError(t, err)
	docs, err := os.ReadFile(filepath.Join(root, "docs", "reach.md"))
	require.NoError(t, err)
	want, says := map[string][]int{}, map[string][]int{}
	for _, b := range request.MailLimits {
		if want[string(b.Kind)] = append(want[string(b.Kind)], b.Most); b.Familiar > 0 {
			want[string(b.Kind)] = append(want[string(b.Kind)], b.Familiar)
		}
	}
	for kind := range want {
		_, row, found := strings.Cut(string(docs), "\n| `"+kind+"` | ")
		require.True(t, found, kind)
		row, _, _ = strings.Cut(row, "\n")
		for _, m := range regexp.MustCompile(`(\d+) (?:in 24 hours a mailbox|more from networks where the member has logged in)`).
			FindAllStringSubmatch(row, -1) {
			n, _ := strconv.Atoi(m[1])
			says[kind] = append(says[kind], n)
		}
	}
	require.Equal(t, want, says)
}
