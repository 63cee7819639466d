package main

import (
	"bytes"
	"net/http"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data/wire/hrana"
	"plaza/ops/setup/services"
	"plaza/test/servicestest"
	"plaza/test/stacktest"
)

func TestBackupOfBranches(t *testing.T) {
	t.Parallel()
	w := servicestest.NewServices(t)
	turso := services.NewTurso(w.Turso.URL, w.Turso.Token, http.DefaultClient)
	turso.Organization = w.Turso.Organization
	require.NoError(t, turso.CreateGroup(t.Context(), "default", "aws-eu-west-1"))
	var addresses []string
	for _, name := range []string{"plaza", "plaza-1"} {
		created, err := turso.CreateDatabase(t.Context(), name, "default")
		require.NoError(t, err)
		addresses = append(addresses, "http://"+created.Hostname)
		stacktest.ApplySchema(t, hrana.New(hrana.Options{URL: w.Turso.Databases[name].Real}))
	}
	variables := map[string]string{"LIBSQL_URL": addresses[0], "LIBSQL_SHARD_URLS": addresses[0] + "," + addresses[1]}
	try := func(args ...string) (code int, out, said string) {
		var o, e bytes.Buffer
		code = run(t.Context(), &environment{out: &o, err: &e, exclusive: true, turso: w.Turso.URL, getenv: func(name string) string { return variables[name] }}, args)
		return code, o.String(), e.String()
	}
	dir := filepath.Join(t.TempDir(), "monday")
	code, _, said := try("backup", "--branch", dir)
	require.Equal(t, 1, code)
	require.Contains(t, said, "--branch needs TURSO_API_TOKEN")

	variables["TURSO_API_TOKEN"] = w.Turso.Token
	code, out, said := try("backup", "--branch", dir)
	require.Zero(t, code, said)
	require.Contains(t, out, "Backed up ")
	require.NotContains(t, out+said, w.Turso.Token)
	require.Len(t, w.Turso.Databases, 2, "the branches are deleted")
	code, out, said = try("backup", "--check", dir)
	require.Zero(t, code, said)
	require.Contains(t, out, "is whole")

	code, _, said = try("backup", "--branch", dir)
	require.Equal(t, 1, code)
	require.Contains(t, said, "is there already")
	require.Len(t, w.Turso.Databases, 2, "also when the backup fails")
	variables["LIBSQL_SHARD_URLS"] = addresses[0] + ",http://other.turso.io"
	code, _, said = try("backup", "--branch", dir+"2")
	require.Equal(t, 1, code)
	require.Contains(t, said, "the organization example has no database at other.turso.io")
	require.Len(t, w.Turso.Databases, 2)
}
