package ledger

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/stack"
)

// head of docs/faults.md.
const head = `# Faults

This page is written by ` + "`./build.sh faults [N]`" + `, which does %s %d kinds of writes while a part of the site fails.
Meanwhile two people read pages, two vote and one comments, without a pause. A form that is refused is sent again with its token, and a quarter of those who were
refused give up. When the fault is over, the job of each minute and the queues run until no work is left.

- **Acknowledged**: forms, votes and comments that were answered with success.
- **Refused**: answers that asked to try again.
- **Lost**: acknowledged, and not in the databases. **Doubled**: there more than once. **Wrong**: there with other words, or refused with a
  reason that does not hold.
- **Verify**: differences that ` + "`plaza verify`" + ` finds.
- **Page**, **vote**, **comment**: the longest that anybody waited. Pages are those that Go makes: in production the edge cache answers most
  visitors meanwhile. The machine had two cores and other work.

| Part | Fault | Acknowledged | Refused | Lost | Doubled | Wrong | Verify | Page | Vote | Comment |
|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|
`

const foot = `
The power cut is one of a file system in a file. The copy that the site goes on with has what was flushed, and the test checks that it lacks
what was not. The commits of sqld are in it because Plaza's sqld runs with ` + "`durability_mode: strong`" + ` (docs/operations/sqld.md).
Another database keeps only what it promises itself.

Some forms are refused when they come again after they were carried out, because their secret is good for one time or because there is
nothing left to do, such as lifting a ban twice. These count as acknowledged if the first answer was on its way. They are lost if what
they did is not there.
`

// writeTable writes docs/faults.md, and prints the same.
func writeTable(t *testing.T, rows []Row) {
	t.Helper()
	which := "by turns one in five of"
	if text := os.Getenv("PLAZA_FAULTS"); text != "" {
		which = text + " of each of"
	}
	var b strings.Builder
	fmt.Fprintf(&b, head, which, len(Acts()))
	var sum Row
	for _, r := range rows {
		if r.Acknowledged == 0 {
			continue // it was skipped
		}
		fmt.Fprintf(&b, "| %s | %s | %d | %d | %d | %d | %d | %d | %s | %s | %s |\n", r.Fault.Part, r.Fault.Name, r.Acknowledged, r.Refused, r.Lost,
			r.Doubled, r.Wrong, r.Differences, seconds(r.Page), seconds(r.Vote), seconds(r.Comment))
		sum.Acknowledged += r.Acknowledged
		sum.Refused += r.Refused
		sum.Lost += r.Lost
		sum.Doubled += r.Doubled
		sum.Wrong += r.Wrong
		sum.Differences += r.Differences
	}
	fmt.Fprintf(&b, "| **all** | | %d | %d | **%d** | **%d** | **%d** | **%d** | | | |\n", sum.Acknowledged, sum.Refused, sum.Lost, sum.Doubled,
		sum.Wrong, sum.Differences)
	b.WriteString(foot)
	root, err := stack.Root()
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(root, "docs", "faults.md"), []byte(b.String()), 0o644))
	fmt.Print(b.String())
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.1f s", d.Seconds()) }
