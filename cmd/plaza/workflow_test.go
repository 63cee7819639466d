package main

import (
	"crypto/ed25519"
	"encoding/base64"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"plaza/data/wire/hrana"
	"plaza/stack"
	"plaza/test/stacktest"
)

// workflow is the part of a file of docs/workflows that the tests read.
type workflow struct {
	Jobs map[string]struct {
		Steps []struct {
			Name, Uses, Run string
			Env             map[string]string
		}
	}
}

func readWorkflow(t *testing.T, name string) (w workflow, text string) {
	t.Helper()
	b, err := os.ReadFile("../../docs/workflows/" + name)
	require.NoError(t, err)
	require.NoError(t, yaml.Unmarshal(b, &w))
	return w, string(b)
}

// TestWorkflows checks that the workflows call only commands that exist, and that docs/deploy.md names all their variables and secrets.
func TestWorkflows(t *testing.T) {
	guide, err := os.ReadFile("../../docs/deploy.md")
	require.NoError(t, err)
	script, err := os.ReadFile("../../build.sh")
	require.NoError(t, err)
	for name, least := range map[string][3]int{"deploy.yml": {7, 2, 2}, "backup.yml": {8, 1, 0}, "night.yml": {0, 0, 1}} {
		_, text := readWorkflow(t, name)
		found := func(pattern string, n int) [][]string {
			all := regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1)
			require.GreaterOrEqual(t, len(all), least[n], "%s: %s", name, pattern)
			return all
		}
		require.Contains(t, string(guide), "(workflows/"+name+")")
		for _, m := range found(`\$\{\{ (?:vars|secrets)\.(\w+) \}\}`, 0) {
			require.Contains(t, string(guide), "`"+m[1]+"`", "%s", name)
		}
		for _, m := range found(`go run ./cmd/plaza (\w+)`, 1) {
			require.True(t, slices.ContainsFunc(commands(), func(c command) bool { return c.name == m[1] }), "plaza %s", m[1])
		}
		for _, m := range found(`\./build\.sh (\w+)`, 2) {
			require.Regexp(t, `(?m)^[a-z |]*\b`+m[1]+`\b[a-z |]*\)`, string(script), "build.sh %s", m[1])
		}
	}
}

// TestBackupWorkflow runs the commands of backup.yml with a token that may only read. The upload, decrypted, is a complete backup.
func TestBackupWorkflow(t *testing.T) {
	t.Parallel()
	for _, program := range []string{"gpg", "bash", "tar"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is not installed", program)
		}
	}
	dir := t.TempDir()
	sqld, err := stack.StartSQLD(t.Context(), stack.SQLDOptions{Dir: filepath.Join(dir, "sqld")})
	require.NoError(t, err)
	t.Cleanup(sqld.Kill)
	stacktest.ApplySchema(t, hrana.New(hrana.Options{URL: sqld.URL, Token: strings.TrimPrefix(sqld.Authorization, "Bearer ")}))

	bucket, bin, home := filepath.Join(dir, "bucket"), filepath.Join(dir, "bin"), filepath.Join(dir, "gnupg")
	for _, folder := range []string{bucket, bin, home} {
		require.NoError(t, os.Mkdir(folder, 0o700))
	}
	self, err := os.Executable()
	require.NoError(t, err)
	goRun := "#!/bin/sh\n[ \"$1 $2\" = \"run ./cmd/plaza\" ] || exit 7\nshift 2\nexec \"" + self + "\" \"$@\"\n"
	require.NoError(t, os.WriteFile(filepath.Join(bin, "go"), []byte(goRun), 0o755))
	aws := "#!/bin/sh\n[ \"$1 $2 $3 $4 $5\" = \"s3 cp --only-show-errors --endpoint-url https://s3.example\" ] || exit 9\n" +
		"[ \"$AWS_ACCESS_KEY_ID$AWS_DEFAULT_REGION\" = ideu ] || exit 8\ncp \"$6\" \"$BUCKET/${7#s3://backups/}\"\n"
	require.NoError(t, os.WriteFile(filepath.Join(bin, "aws"), []byte(aws), 0o755))
	values := map[string]string{"vars.LIBSQL_URL": sqld.URL, "vars.LIBSQL_SHARD_URLS": "", "secrets.LIBSQL_READ_TOKEN": readToken(t, dir),
		"secrets.TURSO_API_TOKEN":   "",
		"secrets.BACKUP_PASSPHRASE": "a long passphrase", "vars.BACKUP_BUCKET": "backups", "vars.BACKUP_ENDPOINT": "https://s3.example",
		"vars.BACKUP_REGION":    "eu",
		"secrets.BACKUP_KEY_ID": "id", "secrets.BACKUP_KEY": "key", "secrets.BACKUP_PING": ""}
	w, _ := readWorkflow(t, "backup.yml")
	ran := 0
	for _, step := range w.Jobs["backup"].Steps {
		if step.Run == "" {
			continue
		}
		ran++
		run := exec.CommandContext(t.Context(), "bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step.Run) // shell: bash means that
		run.Dir = "../.."
		run.Env = append(os.Environ(), "RUNNER_TEMP="+dir, "BUCKET="+bucket, "GNUPGHOME="+home, "PATH="+bin+":"+os.Getenv("PATH"), asPlaza+"=1")
		for name, value := range step.Env {
			if m := regexp.MustCompile(`^\$\{\{ (.*) \}\}$`).FindStringSubmatch(value); m != nil {
				require.Contains(t, values, m[1])
				value = values[m[1]]
			}
			run.Env = append(run.Env, name+"="+value)
		}
		out, err := run.CombinedOutput()
		require.NoError(t, err, "%s: %s", step.Name, out)
	}
	require.Equal(t, 2, ran)

	sent, err := filepath.Glob(filepath.Join(bucket, "plaza-*.tar.gpg"))
	require.NoError(t, err)
	require.Len(t, sent, 1)
	back := exec.Command("bash", "-eo", "pipefail", "-c",
		`gpg --batch --pinentry-mode loopback --passphrase "a long passphrase" -d "$1" | tar -x -C "$2"`, "sh", sent[0], bucket)
	back.Env = append(os.Environ(), "GNUPGHOME="+home)
	out, err := back.CombinedOutput()
	require.NoError(t, err, "%s", out)
	code, said, failed := cli("backup", "--check", filepath.Join(bucket, "plaza"))
	require.Zero(t, code, failed)
	require.Contains(t, said, "is whole")
}

// readToken makes a read-only token for the sqld in a folder.
func readToken(t *testing.T, dir string) string {
	t.Helper()
	seed, err := os.ReadFile(filepath.Join(dir, "sqld", "token-key"))
	require.NoError(t, err)
	encode := base64.RawURLEncoding.EncodeToString
	signed := encode([]byte(`{"alg":"EdDSA","typ":"JWT"}`)) + "." + encode([]byte(`{"a":"ro"}`))
	return signed + "." + encode(ed25519.Sign(ed25519.NewKeyFromSeed(seed), []byte(signed)))
}
