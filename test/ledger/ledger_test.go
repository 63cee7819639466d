package ledger

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/data/events/outbox"
	"plaza/stack"
)

// TestActs does each act where all is well, with an answer that gets lost on its way to the browser: what was acknowledged is there, once.
func TestActs(t *testing.T) {
	w := Open(t, 1, nil)
	for _, act := range Acts() {
		t.Run(act.Name, func(t *testing.T) {
			w.T = t
			name := tokenOf(act.Name)[:12]
			e := &entry{form: act.make(w, name), name: name, token: tokenOf(name)}
			if e.was != "" {
				require.Equal(t, []string{e.was}, e.there())
			} else {
				require.Empty(t, strings.Join(e.there(), ""), "nothing or no words, before it is sent")
			}
			var over atomic.Bool
			e.attempt(Fault{responseLost: true}, &over)
			w.drain()
			if act.Name == "schedule a post" {
				return
			}
			row := Row{}
			row.judge(e)
			require.Empty(t, row.Amiss)
			require.Equal(t, 1, row.Acknowledged)
		})
	}
}

// TestEveryWriteHasAnAct goes through the actions of docs/api.md, which TestActionsAreDocumented of package worker holds to the routes table.
func TestEveryWriteHasAnAct(t *testing.T) {
	acts := map[string]bool{}
	for _, act := range Acts() {
		acts[act.Route] = true
	}
	root, err := stack.Root()
	require.NoError(t, err)
	doc, err := os.ReadFile(filepath.Join(root, "docs", "api.md"))
	require.NoError(t, err)
	actions := map[string]bool{}
	for _, m := range regexp.MustCompile("(?m)^\\| `(POST [^`]+)`").FindAllStringSubmatch(string(doc), -1) {
		route := m[1]
		actions[route] = true
		_, remaining := omitted[route]
		require.True(t, acts[route] != remaining, "%s: an act, or a reason why there is none", route)
	}
	for route := range acts {
		require.True(t, actions[route], "an act of no route: %s", route)
	}
	for route := range omitted {
		require.True(t, actions[route], "a reason for no route: %s", route)
	}
}

// longest is what nobody waits longer for: a request has eight seconds, and this machine does much else.
const longest = 14 * time.Second

// oneActIn is how many acts there are to each that a fault meets where PLAZA_FAULTS does not say how many times all are done. All faults
// together meet each act several times.
func oneActIn() int {
	if thorough() {
		return 5
	}
	return 10
}

// neverPending is work that need not wait when all acts are done. TestPendingJobs of ops/verify has all kinds.
var neverPending = map[outbox.Job]string{
	outbox.JobNotPublished: "of scheduled posts whose time has come",
	outbox.JobQuarantined:  "of cases that the scheduled job finds",
	outbox.JobRebuild:      "of members who were inactive for weeks",
	outbox.JobInviteTree:   "leftOut says why",
	// By the request that leaves it, where no shard is unavailable.
	outbox.JobBlocks:         "carried out before the answer",
	outbox.JobRevokeSessions: "carried out before the answer",
	outbox.JobCommunity:      "carried out before the answer",
	outbox.JobVerdict:        "carried out before the answer",
}

// TestFaults performs acts under every fault. With PLAZA_FAULTS=n it does each act n times under each, and writes what became of them into
// docs/faults.md if PLAZA_FAULTS_TABLE is set.
func TestFaults(t *testing.T) {
	rounds, step := 1, oneActIn()
	if text := os.Getenv("PLAZA_FAULTS"); text != "" {
		var err error
		rounds, err = strconv.Atoi(text)
		require.NoError(t, err)
		step = 1
	}
	all := faults()
	rows := make([]Row, len(all))
	if os.Getenv("PLAZA_FAULTS_TABLE") != "" {
		t.Cleanup(func() { writeTable(t, rows) })
	}
	for n, f := range all {
		t.Run(f.Part+" "+f.Name, func(t *testing.T) {
			if os.Getenv("PLAZA_FAULTS_TABLE") == "" {
				t.Parallel() // much of it is waiting
			}
			var folder func(int) string
			if f.open != nil {
				folder = f.open(t)
			}
			w := Open(t, max(f.Shards, 1), folder)
			row := Run(w, f, max(rounds, f.Shards-1), func(round, act int) bool { return (act+n+round)%step == 0 })
			rows[n] = row
			for _, line := range row.Amiss {
				t.Error(line)
			}
			assert.NotZero(t, row.Acknowledged)
			if row.OnProxy {
				assert.NotZero(t, row.Met, "no request has met the fault")
			}
			if f.Works { // a database may refuse a few on a machine that does much else
				assert.LessOrEqual(t, row.Refused, row.Acknowledged/10)
			}
			if step == 1 && w.pending != nil {
				for _, kind := range outbox.Kinds {
					if _, remaining := neverPending[kind.Job]; !remaining {
						assert.Contains(t, w.pending, string(kind.Job), "work that no act has left")
					}
				}
			}
			assert.Less(t, max(row.Page, row.Vote, row.Comment), longest)
			t.Logf("%d acknowledged, %d refused, page %v, vote %v, comment %v", row.Acknowledged, row.Refused, row.Page, row.Vote, row.Comment)
		})
	}
}
