package setup

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/stretchr/testify/require"
)

// A complete TOML parser reads the same from the file, before and after each change.
func TestWranglerTOML(t *testing.T) {
	for _, name := range []string{"../../wrangler.toml", "testdata/wrangler.toml"} {
		t.Run(name, func(t *testing.T) { changeVariables(t, name) })
	}
	c, err := readConfig("testdata/wrangler.toml")
	require.NoError(t, err)
	require.Equal(t, []string{"plaza-votes", "plaza-events", "plaza-votes-dead", "plaza-events-dead"}, c.values("queues.consumers", "queue"))
	require.Equal(t, "plaza-pictures", c.value("r2_buckets", "bucket_name"))

	t.Run("without [vars] it says so", func(t *testing.T) {
		c := &config{path: "x.toml", lines: []string{"name = 'plaza'\n"}}
		require.Equal(t, "plaza", c.value("", "name"))
		require.ErrorContains(t, c.setVariable("SITE_NAME", "x"), "x.toml has no [vars]")
	})
}

func changeVariables(t *testing.T, name string) {
	t.Helper()
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "wrangler.toml")
	require.NoError(t, os.WriteFile(path, text, 0o640))
	read := func() (vars map[string]string, c *config) {
		t.Helper()
		var f wranglerFile
		_, err := toml.DecodeFile(path, &f)
		require.NoError(t, err)
		c, err = readConfig(path)
		require.NoError(t, err)
		require.Equal(t, f.Vars, c.variables())
		require.Equal(t, f.Name, c.value("", "name"))
		require.Equal(t, f.Triggers.Crons, c.values("triggers", "crons"))
		return f.Vars, c
	}
	for _, value := range []string{"", "plain", `with "quotes" and \ and # and '`, "Größe 日本", "a = b ]"} {
		for _, key := range []string{"SITE_NAME", "LIBSQL_URL", "A_NEW_ONE"} {
			_, c := read()
			require.NoError(t, c.setVariable(key, value))
			require.NoError(t, c.write())
			vars, _ := read()
			require.Equal(t, value, vars[key])
		}
	}
	_, c := read()
	require.ErrorContains(t, c.setVariable("SITE_NAME", "two\nlines"), "control characters")
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o640), info.Mode().Perm())
}

func TestNoNameBelowWorkersDev(t *testing.T) {
	for before, want := range map[string]string{
		"name = \"plaza\"\nworkers_dev = true # and why\n[vars]\nA = \"b\"\n": "name = \"plaza\"\nworkers_dev = false # and why\n[vars]\nA = \"b\"\n",
		"name = \"plaza\"\n[vars]\nworkers_dev = true\n":                      "name = \"plaza\"\nworkers_dev = false\n\n[vars]\nworkers_dev = true\n",
		"workers_dev = false\n": "workers_dev = false\n",
	} {
		c := &config{lines: strings.SplitAfter(before, "\n")}
		require.Equal(t, before != want, c.setWorkersDev(false))
		require.Equal(t, want, strings.Join(c.lines, ""))
		require.False(t, c.setWorkersDev(false))
		require.True(t, c.setWorkersDev(true), "the site's name is below workers.dev again")
		require.Contains(t, strings.Join(c.lines, ""), "workers_dev = true")
	}
}
