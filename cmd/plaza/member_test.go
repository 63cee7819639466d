package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/test/stacktest"
)

func TestMemberCommands(t *testing.T) {
	directory, shard := stacktest.OpenURL(t), stacktest.OpenURL(t)
	code, _, err := cli("migrate", "--url", directory, "--url", shard)
	require.Zero(t, code, err)
	db, there := mustOpen(t, directory), mustOpen(t, shard)
	_, failed := db.Exec(`INSERT INTO users (id, username, username_key, password_hash, created_at) VALUES (42, 'Ann', 'ann', '', 0)`)
	require.NoError(t, failed)
	both := []string{"--url", directory, "--url", shard}

	t.Run("suspend and restore reach every database", func(t *testing.T) {
		for range 2 { // a repetition is no error
			code, out, err := cli(append([]string{"suspend", "ANN"}, both...)...)
			require.Zero(t, code, err)
			require.Contains(t, out, "ANN is suspended")
		}
		require.Equal(t, 1, number(t, db, `SELECT count(*) FROM users WHERE status = 'suspended'`))
		for _, d := range []string{directory, shard} {
			require.Equal(t, 1, number(t, mustOpen(t, d), `SELECT count(*) FROM revocations WHERE subject = 42 AND before > 4e18`))
		}
		code, out, err := cli(append([]string{"suspend", "Ann", "--restore"}, both...)...)
		require.Zero(t, code, err)
		require.Contains(t, out, "Ann is not suspended, and may log in.")
		require.Equal(t, 1, number(t, db, `SELECT count(*) FROM users WHERE status = 'active'`))
		require.Equal(t, 1, number(t, there, `SELECT count(*) FROM revocations WHERE subject = 42 AND before < 4e18`))
	})

	t.Run("admin gives and takes the right", func(t *testing.T) {
		code, out, err := cli("admin", "ann", "--url", directory)
		require.Zero(t, code, err)
		require.Equal(t, "ann is an administrator now.\n", out)
		require.Equal(t, 1, number(t, db, `SELECT admin FROM users`))
		code, out, err = cli("admin", "--revoke", "ann", "--url", directory)
		require.Zero(t, code, err)
		require.Equal(t, "ann is no administrator any more.\n", out)
		require.Equal(t, 0, number(t, db, `SELECT admin FROM users`))
	})

	t.Run("both say what is wrong", func(t *testing.T) {
		for _, command := range []string{"admin", "suspend"} {
			code, _, err := cli(command, "--url", directory)
			require.Equal(t, 2, code)
			require.Contains(t, err, "give the name of one member")
			code, _, err = cli(command, "bob", "--url", directory)
			require.Equal(t, 1, code)
			require.Contains(t, err, "There is no member of that name.")
			require.NotContains(t, err, "again")
			code, _, err = cli(command, "ann", "--url", "x")
			require.Equal(t, 2, code)
			require.Contains(t, err, "is not a database's URL")
			code, _, err = cli(command, "bob")
			require.Equal(t, 2, code)
			require.Contains(t, err, "which database?")
		}
	})
}

// TestSuspendWithoutADatabase waits some seconds for the response.
func TestSuspendWithoutADatabase(t *testing.T) {
	t.Parallel()
	directory := stacktest.OpenSchemaURL(t)
	_, failed := mustOpen(t, directory).Exec(`INSERT INTO users (id, username, username_key, password_hash, created_at) VALUES (42, 'Ann', 'ann', '', 0)`)
	require.NoError(t, failed)
	t.Run("one is suspended, and later in the database that is unavailable", func(t *testing.T) {
		t.Parallel()
		code, out, err := cli("suspend", "ann", "--url", directory, "--url", "http://127.0.0.1:1")
		require.Zero(t, code, err)
		require.Contains(t, out, "thread shard 0")
		require.Contains(t, out, "The site tells the others within a minute after they answer.")
	})
	t.Run("without the directory nobody is", func(t *testing.T) {
		t.Parallel()
		code, _, err := cli("suspend", "ann", "--url", "http://127.0.0.1:1")
		require.Equal(t, 1, code)
		require.Contains(t, err, "run the same again when every database answers")
	})
}
