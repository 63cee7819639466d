package main

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/ops/shards/mover"
	"plaza/test/sitetest"
	"plaza/test/stacktest"
)

// TestMoveIsKilled runs the command to move a community, kills it while it copies, and runs it again, in both directions.
func TestMoveIsKilled(t *testing.T) {
	t.Parallel()
	s := sitetest.OpenFilled(t, 2)
	s.ApplyDeltas()
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
	require.Eventually(t, func() bool { return posts(0) > 0 }, time.Minute, time.Millisecond)
	require.NoError(t, first.Process.Kill())
	require.Error(t, first.Wait())
	require.Equal(t, before, posts(1))

	says(0, "Not finished: Beta has been moving from shard 1 to shard 0 since", "shards")
	says(1, "one community moves at a time, and another move is not finished: Beta has been moving", "shards", "move", "Alpha", "1", "--yes")
	says(1, "a community is moving to another shard", "verify")
	says(1, "a community is moving to another shard", "backup", filepath.Join(t.TempDir(), "backup"))
	says(1, "a community is moving to another shard", "export", "--site", "plaza.example", "--without-pictures", filepath.Join(t.TempDir(), "site.jsonl"))
	code, _, said := cli("migrate", "--url", s.URLs[0], "--url", stacktest.OpenURL(t))
	require.Equal(t, 1, code)
	require.Contains(t, said, "a community is moving to another shard")
	code, _, said = cli("migrate", "--url", s.URLs[0])
	require.Zero(t, code, said)

	again := command("shards", "move", "Beta", "0")
	var output output
	again.Stdout, again.Stderr = &output, &output
	require.NoError(t, again.Start())
	// The command prints that, and waits for a minute before it deletes.
	require.Eventually(t, func() bool { return strings.Contains(output.String(), "Waiting for a minute") }, 2*time.Minute, 50*time.Millisecond)
	require.NoError(t, again.Process.Kill())
	require.Error(t, again.Wait())
	for _, line := range []string{"Beta is moving. Going on to shard 0.", "Freezing Beta.", "Copying to shard 0.", "Beta is read from shard 0 now."} {
		require.Contains(t, output.String(), line)
	}
	require.Equal(t, []int{before, before}, []int{posts(0), posts(1)})

	m := &mover.Move{Directory: s.Clients[0], Shards: s.Clients, Sleep: func(context.Context, time.Duration) error { return nil }}
	env := &environment{out: &strings.Builder{}, err: &strings.Builder{}, getenv: func(string) string { return "" }}
	require.NoError(t, move(t.Context(), env, m, "Beta", 1, true))
	require.Contains(t, env.out.(*strings.Builder).String(), "Beta is moving. Going on to shard 1.\nBeta is on shard 1. Nobody could write in it for ")
	require.Equal(t, []int{0, before}, []int{posts(0), posts(1)})
	says(0, "0 differences", "verify", "--pictures=no")
}

// TestMoveNeedsShards: a site with one database has no other shard.
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
