package main

import (
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/test/sitetest"
	"plaza/test/stacktest"
	"plaza/tools/mover"
)

// TestMoveIsKilled has the command move a community, kills it while it copies, and runs it again.
func TestMoveIsKilled(t *testing.T) {
	stacktest.ByNight(t, "the live move: it waits for three minutes, and TestMoveNeedsShards and TestAMoveWaits run the command by day")
	t.Parallel()
	s := sitetest.OpenFilled(t, 2)
	s.Fold()
	command := func(args ...string) *exec.Cmd {
		c := plazaProcess(t, args...)
		c.Env = append(c.Env, "LIBSQL_URL="+s.URLs[0], "LIBSQL_SHARD_URLS="+strings.Join(s.URLs, ","), "UPSTASH_REDIS_REST_URL=")
		return c
	}
	says := func(code int, what string, args ...string) {
		t.Helper()
		c := command(args...)
		out, _ := c.CombinedOutput()
		require.Contains(t, string(out), what)
		require.Equal(t, code, c.ProcessState.ExitCode(), string(out))
	}
	posts := func(shard int) int {
		return number(t, s.Shards[shard], `SELECT count(*) FROM posts WHERE community_name = 'Beta'`)
	}
	before := posts(1)
	require.Positive(t, before)
	says(1, `there is no community "Nothing"`, "shards", "move", "Nothing", "0")
	says(1, "Beta can't move to shard 1: it is on that shard", "shards", "move", "Beta", "1")
	says(1, "there is no shard 7: this site has shards 0 to 1", "shards", "move", "Beta", "7")
	says(2, "give --yes to begin", "shards", "move", "Beta", "0")
	says(2, "which community, and to which shard?", "shards", "move", "Beta")
	require.Zero(t, number(t, s.Directory, `SELECT count(*) FROM slot_moves`))

	first := command("shards", "move", "beta", "0", "--yes")
	require.NoError(t, first.Start())
	require.Eventually(t, func() bool { return number(t, s.Directory, `SELECT count(*) FROM slot_moves WHERE place <> ''`) > 0 }, time.Minute,
		time.Millisecond)
	require.NoError(t, first.Process.Kill())
	require.Error(t, first.Wait())
	require.Equal(t, before, posts(1))

	says(0, "Not finished: Beta is moving from shard 1 to shard 0, and the next step is", "shards")
	says(1, "one community moves at a time, and another move is not finished: Beta is moving", "shards", "move", "Alpha", "1", "--yes")
	says(1, "a community is moving to another shard", "verify")
	says(1, "a community is moving to another shard", "backup", filepath.Join(t.TempDir(), "backup"))
	says(1, "a community is moving to another shard", "export", "--site", "plaza.example", "--without-pictures", filepath.Join(t.TempDir(), "site.jsonl"))

	again := command("shards", "move", "Beta", "0")
	var said output
	again.Stdout, again.Stderr = &said, &said
	require.NoError(t, again.Start())
	// The command says so, and waits for three minutes before it deletes.
	require.Eventually(t, func() bool {
		return strings.Contains(said.String(), "Waiting for three minutes") &&
			number(t, s.Directory, `SELECT count(*) FROM slot_moves WHERE step = 'remove'`) > 0
	}, 2*time.Minute, 50*time.Millisecond)
	require.NoError(t, again.Process.Kill())
	require.Error(t, again.Wait())
	for _, line := range []string{"Beta is moving from shard 1 to shard 0. Going on with that.", "Another process works on this move, or was ended",
		"Copied. Writing waits.", "Beta is on shard 0 now. Writing has waited for", "Waiting for three minutes"} {
		require.Contains(t, said.String(), line)
	}
	require.Equal(t, []int{before, before}, []int{posts(0), posts(1)})

	ended := errors.New("ended")
	m := &mover.Move{Directory: s.Clients[0], Shards: s.Clients, Sleep: func(context.Context, time.Duration) error { return nil },
		After: func(step string, whole bool) error {
			if whole {
				return ended
			}
			return nil
		}}
	_, err := s.Directory.Exec(`UPDATE slot_moves SET seen_at = 0`)
	require.NoError(t, err)
	var slot int
	require.NoError(t, s.Directory.QueryRow(`SELECT slot FROM slot_moves`).Scan(&slot))
	require.ErrorIs(t, m.Run(t.Context(), slot, 0), ended)
	_, err = s.Directory.Exec(`UPDATE slot_moves SET step = 'end'`)
	require.NoError(t, err)
	says(0, "Beta has moved from shard 1 to shard 0.", "shards", "move", "Beta", "0")
	require.Equal(t, []int{before, 0}, []int{posts(0), posts(1)})
	says(0, "0 differences", "verify", "--pictures=no")
}

// TestAMoveWaits: a move on which nobody works is seen, and a migration does not change tables meanwhile.
func TestAMoveWaits(t *testing.T) {
	s := sitetest.Open(t, 1)
	s.People(1, time.Hour)
	shards := func() string {
		_, out, said := cli("shards", "--url", s.URLs[0])
		return out + said
	}
	for step, want := range map[string]string{
		"copy":  `the next step is "copy". No process works on it. Go on with`,
		"close": `the next step is "close". No process works on it, and nobody can write in it until one does. Go on with`,
	} {
		_, err := s.Directory.Exec(`INSERT INTO slot_moves (id, slot, source, target, community_name, step, holder, seen_at)
VALUES (1, 70, 0, 1, '', ?, 'x',
  CAST(unixepoch('now', 'subsec') * 1000 AS INTEGER) - 5000) ON CONFLICT DO UPDATE SET step = excluded.step, seen_at = excluded.seen_at`, step)
		require.NoError(t, err)
		require.Contains(t, shards(), "the slot 70 is moving")
		require.NotContains(t, shards(), "No process")
		_, err = s.Directory.Exec(`UPDATE slot_moves SET seen_at = seen_at - 60000`)
		require.NoError(t, err)
		require.Contains(t, shards(), want)
	}
	code, _, said := cli("migrate", "--url", s.URLs[0], "--url", stacktest.OpenURL(t))
	require.Equal(t, 1, code)
	require.Contains(t, said, "a community is moving to another shard")
	code, _, said = cli("migrate", "--url", s.URLs[0])
	require.Zero(t, code, said)
}

// TestMoveNeedsShards: a site with one database has nowhere to move to.
func TestMoveNeedsShards(t *testing.T) {
	s := sitetest.Open(t, 1)
	s.People(1, time.Hour)
	s.Community("Alpha", 0)
	code, _, said := cli("shards", "move", "Alpha", "1", "--yes", "--url", s.URLs[0])
	require.Equal(t, 1, code)
	require.Contains(t, said, "this site has one shard. Put the address of another database at the end of LIBSQL_SHARD_URLS first")
	code, _, said = cli("shards", "move", "Alpha", "0", "--yes", "--url", s.URLs[0], "--shard", s.URLs[0], "--shard", s.URLs[0])
	require.Equal(t, 1, code)
	require.Contains(t, said, "it is on that shard")
	code, _, said = cli("shards", "move", "Alpha", "1", "--yes", "--url", s.URLs[0], "--shard", s.URLs[0], "--shard", s.URLs[0])
	require.Equal(t, 1, code)
	require.Contains(t, said, "both shards are one database")
}
