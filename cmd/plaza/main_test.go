package main

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data/schema"
	"plaza/protocol/webpush"
	"plaza/test/sitetest"
	"plaza/test/stacktest"
)

// asPlaza is the variable that makes this test binary run as plaza. Building plaza would take longer than most tests, and Go's test cache
// would not know its sources.
const asPlaza = "PLAZA_TEST_AS_PLAZA"

func TestMain(m *testing.M) {
	if os.Getenv(asPlaza) != "" {
		main()
	}
	stacktest.Main(m)
}

// plazaProcess is a process of plaza, which tests stop and kill.
func plazaProcess(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	bin, err := os.Executable()
	require.NoError(t, err)
	c := exec.Command(bin, args...)
	c.Env = append(os.Environ(), asPlaza+"=1")
	return c
}

// cli runs a command line and returns its exit code and what it wrote.
func cli(args ...string) (code int, out, err string) {
	var o, e bytes.Buffer
	code = run(context.Background(), &environment{out: &o, err: &e, exclusive: true, getenv: func(string) string { return "" }}, args)
	return code, o.String(), e.String()
}

func mustOpen(t *testing.T, url string) *sql.DB {
	t.Helper()
	return sitetest.OpenSQL(t, url)
}

func number(t *testing.T, db *sql.DB, query string) (n int) {
	t.Helper()
	require.NoError(t, db.QueryRow(query).Scan(&n))
	return n
}

func TestVapid(t *testing.T) {
	keys := map[string]bool{}
	for range 2 {
		code, out, _ := cli("vapid")
		require.Equal(t, 0, code)
		created, err := webpush.ParseKeys(strings.TrimSpace(out))
		require.NoError(t, err)
		keys[created.Public] = true
	}
	require.Len(t, keys, 2)
}

func TestCommandLine(t *testing.T) {
	tests := []struct {
		name, args string
		code       int
		says       string
	}{
		{"tells what there is", "", 0, "plaza import --format plaza|reddit|reddit-csv"},
		{"refuses a command it does not know", "deploy", 2, `there is no command "deploy"`},
		{"explains a command's flags", "import -h", 0, "-shift"},
		{"refuses a flag it does not know", "seed --nope", 2, "flag provided but not defined: -nope"},
		{"wants a database", "migrate", 2, "which database? give --url or set LIBSQL_URL"},
		{"refuses a URL that is none", "migrate --url here", 2, `"here" is not a database's URL`},
		{"wants a format", "import x.csv", 2, "which format?"},
		{"refuses another format", "import --format xml x", 2, "--format is one of plaza, reddit, reddit-csv"},
		{"wants files", "import --format reddit-csv", 2, "which files?"},
		{"refuses a file that is not there", "import --format reddit-csv nothing.csv --url http://127.0.0.1:1", 1, "nothing.csv: no such file"},
		{"refuses a port that is none", "dev --port 99999", 2, "99999 is not a port"},
		{"refuses a number below zero", "seed --votes -1 --url http://127.0.0.1:1", 2, "numbers can't be negative"},
		{"says when the database does not answer", "migrate --url http://127.0.0.1:1", 1, "the database at http://127.0.0.1:1 does not answer"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			code, out, err := cli(strings.Fields(test.args)...)
			require.Equal(t, test.code, code, err)
			require.Contains(t, out+err, test.says)
		})
	}
}

func TestTheDoctorSendsNoTokenInTheClear(t *testing.T) {
	var out bytes.Buffer
	code := run(context.Background(), &environment{out: &out, err: &out, getenv: func(name string) string {
		return map[string]string{"HEALTH_TOKEN": "a secret"}[name]
	}}, []string{"doctor", "http://plaza.invalid"})
	require.Equal(t, 2, code)
	require.Contains(t, out.String(), "http://plaza.invalid is not encrypted")
	require.NotContains(t, out.String(), "a secret")
}

func TestMigrate(t *testing.T) {
	t.Parallel()
	urls := []string{stacktest.OpenURL(t), stacktest.OpenURL(t)}

	t.Run("takes all steps, and none the second time", func(t *testing.T) {
		code, out, err := cli("migrate", "--url", urls[0], "--url", urls[1])
		require.Zero(t, code, err)
		require.Regexp(t, "^"+urls[0]+`\n  step 1 \(1\.0\): done in .* s\n(  step .*\n)*`+urls[1]+
			`\n  step 1 \(1\.0\): done in .* s\n(  step .*\n)*$`, out)
		code, out, err = cli("migrate", "--url", urls[0])
		require.Zero(t, code, err)
		require.Equal(t, fmt.Sprintf("%s\n  up to date, at step %d\n", urls[0], schema.Version), out)
	})

	t.Run("makes other triggers anew", func(t *testing.T) {
		_, err := mustOpen(t, urls[0]).Exec("DROP TRIGGER votes_cast")
		require.NoError(t, err)
		for _, says := range []string{"triggers and views are made anew", fmt.Sprint("up to date, at step ", schema.Version)} {
			code, out, said := cli("migrate", "--url", urls[0])
			require.Zero(t, code, said)
			require.Equal(t, urls[0]+"\n  "+says+"\n", out)
		}
	})

	t.Run("takes up a database that has the tables and remembers no steps", func(t *testing.T) {
		url := stacktest.OpenURL(t)
		db := mustOpen(t, url)
		for _, statement := range schema.Split(schema.Steps()[0].SQL) {
			_, err := db.Exec(statement)
			require.NoError(t, err)
		}
		_, err := db.Exec("INSERT INTO weeks VALUES ('posts', 42)")
		require.NoError(t, err)
		code, out, said := cli("migrate", "--url", url)
		require.Zero(t, code, said)
		require.Contains(t, out, "step 1 (1.0): done")
		require.Equal(t, 42, number(t, db, "SELECT since FROM weeks"))
	})

	t.Run("names what somebody has changed by hand", func(t *testing.T) {
		db := mustOpen(t, urls[0])
		for _, q := range []string{"DROP INDEX posts_hot", "CREATE INDEX posts_hot ON posts (hot)",
			"ALTER TABLE users ADD COLUMN shoe_size INTEGER"} {
			_, err := db.Exec(q)
			require.NoError(t, err)
		}
		code, _, said := cli("migrate", "--url", urls[0])
		require.Equal(t, 1, code)
		require.Contains(t, said, "these are not as in schema.sql: index posts_hot, table users.")
	})

	t.Run("changes no database when one of them is ahead of this build", func(t *testing.T) {
		db, empty := mustOpen(t, urls[1]), stacktest.OpenURL(t)
		_, err := db.Exec("INSERT INTO schema_steps (number, name, done_at) VALUES (?, 'tomorrow', 1)", schema.Version+1)
		require.NoError(t, err)
		code, out, said := cli("migrate", "--url", empty, "--url", urls[1])
		require.Equal(t, 1, code)
		require.Empty(t, out)
		require.Equal(t, fmt.Sprintf("plaza migrate: %s: it is at step %d (tomorrow), and this build knows only %d: use the build that has "+
			"migrated it, or a newer one\n",
			urls[1], schema.Version+1, schema.Version), said)
		require.Zero(t, number(t, mustOpen(t, empty), "SELECT count(*) FROM sqlite_schema"))
	})
}

func TestImportCommand(t *testing.T) {
	url := stacktest.OpenURL(t)
	file := filepath.Join("sample", "golang.csv.gz")

	t.Run("asks for the tables first", func(t *testing.T) {
		code, _, err := cli("import", "--format", "reddit-csv", file, "--url", url)
		require.Equal(t, 1, code)
		require.Contains(t, err, "run plaza migrate first")
	})

	t.Run("says what it did", func(t *testing.T) {
		code, _, err := cli("migrate", "--url", url)
		require.Zero(t, code, err)
		broken := filepath.Join(t.TempDir(), "broken.csv")
		require.NoError(t, os.WriteFile(broken, []byte("id,title,created_utc,ups,downs\n1,x,never,1,1\n"), 0o600))
		code, out, said := cli("import", "--format", "reddit-csv", "--shift", file, broken, "--url", url)
		require.Zero(t, code, said)
		require.Regexp(t, `^Imported 40 posts and 0 comments in .*/s\), 1 new communities, 1 lines skipped\.\n$`, out)
		require.Contains(t, said, "skipped broken.csv:2: created_utc: \"never\" is not a time\n")
		_, out, _ = cli("import", "--format", "reddit-csv", "--shift", file, "--url", url)
		require.Contains(t, out, "40 were there already")
	})
}

func TestConvertCommand(t *testing.T) {
	dir := t.TempDir()
	story, into := filepath.Join(dir, "story.json"), filepath.Join(dir, "out.ndjson")
	require.NoError(t, os.WriteFile(story, []byte(`{"short_id":"a","title":"A `+
		`story","created_at":"2024-01-01T00:00:00Z","url":"https://go.dev/","submitter_user":"ann"} {}`), 0o600))
	code, out, said := cli("convert", "--from", "lobsters", "--site", "lobste.rs", "--community", "crabs", "--into", into, story)
	require.Zero(t, code, said)
	require.Equal(t, "Wrote 1 lines.\n", out)
	require.Equal(t, "skipped document 2 of "+story+": a story has a short_id and a title\n", said)
	text, err := os.ReadFile(into)
	require.NoError(t, err)
	require.Contains(t, string(text), `"site":"lobste.rs"`)
	code, _, said = cli("convert", "--from", "lobsters", "--site", "lobste.rs", "--into", into, story)
	require.Equal(t, 2, code)
	require.Contains(t, said, "into which community?")
	require.NoError(t, os.WriteFile(story, []byte(`{`), 0o600))
	code, _, _ = cli("convert", "--from", "lobsters", "--site", "lobste.rs", "--community", "crabs", "--into", into+"2", story)
	require.Equal(t, 1, code)
	_, err = os.Stat(into + "2")
	require.ErrorIs(t, err, os.ErrNotExist, "a file is there only when it is whole")
	_, err = os.Stat(into + "2.partial")
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestImportOverDatabases(t *testing.T) {
	t.Parallel()
	urls := []string{stacktest.OpenURL(t), stacktest.OpenURL(t), stacktest.OpenURL(t)}
	files, err := filepath.Glob(filepath.Join("sample", "*.csv.gz"))
	require.NoError(t, err)
	require.Greater(t, len(files), 3)
	code, _, said := cli("migrate", "--url", urls[0], "--url", urls[1], "--url", urls[2])
	require.Zero(t, code, said)
	var out, bad bytes.Buffer
	env := &environment{out: &out, err: &bad, getenv: func(name string) string {
		return map[string]string{"LIBSQL_URL": urls[0], "LIBSQL_SHARD_URLS": urls[0] + ", " + urls[1] + "," + urls[2]}[name]
	}}
	args := append([]string{"import", "--format", "reddit-csv"}, files...)
	require.Zero(t, run(context.Background(), env, args), bad.String())
	total := 0
	for i, url := range urls {
		db := mustOpen(t, url)
		total += number(t, db, "SELECT count(*) FROM posts")
		require.Zero(t, number(t, db, "SELECT count(*) FROM posts WHERE (id >> 12) & 1023 NOT IN ("+slotsOn(t, urls[0], i)+")"))
	}
	first := mustOpen(t, urls[0])
	require.Equal(t, len(files), number(t, first, "SELECT count(*) FROM communities"))
	require.Less(t, number(t, first, "SELECT count(*) FROM posts"), total)
	require.Contains(t, out.String(), fmt.Sprintf("Imported %d posts", total))

	args = append(args, "--url", urls[0], "--shard", urls[0], "--shard", urls[1], "--shard", urls[2])
	code, again, said := cli(args...)
	require.Zero(t, code, said)
	require.Contains(t, again, fmt.Sprintf("%d were there already", total))
	code, _, said = cli("import", "--format", "reddit-csv", files[0], "--url", urls[0], "--shard", stacktest.OpenURL(t))
	require.Equal(t, 1, code)
	require.Contains(t, said, "run plaza migrate first")
}

// slotsOn returns the slots of a shard in the directory, comma separated.
func slotsOn(t *testing.T, directory string, shard int) (slots string) {
	t.Helper()
	require.NoError(t, mustOpen(t, directory).QueryRow("SELECT group_concat(slot) FROM slots WHERE shard = ?", shard).Scan(&slots))
	return slots
}

func TestThousands(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 18994: "18,994", 1234567: "1,234,567", -1000: "-1,000",
		-100: "-100"} {
		require.Equal(t, want, thousands(n))
	}
}
