package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/ops/setup"
)

// TestSecretsGoWithTheDeployment runs a build.sh that prints its environment and secrets.
func TestSecretsGoWithTheDeployment(t *testing.T) {
	folder, there, token := t.TempDir(), "", "x"
	script := "#!/bin/bash\necho \"$*\"; env; [[ -z ${PLAZA_SECRETS_FILE:-} ]] || { stat -c %a \"$PLAZA_SECRETS_FILE\"; cat \"$PLAZA_SECRETS_FILE\"; }\n"
	require.NoError(t, os.WriteFile(filepath.Join(folder, "build.sh"), []byte(script), 0o755))
	environment := func() []string { return []string{"PATH=" + os.Getenv("PATH"), "TURSO_API_TOKEN=x", "PLACE=here"} }
	secrets := map[string]*string{"TURSO_API_TOKEN": &token, "MAIL_TOKEN": &there}

	var log bytes.Buffer
	d := setup.Deployment{Gateway: true, Environment: []string{"CLOUDFLARE_API_TOKEN=y"}, Secrets: map[string]string{"LIBSQL_AUTH_TOKEN": "z"}}
	require.NoError(t, deploySite(t.Context(), folder, environment(), secrets, d, &log))
	require.Regexp(t, `^deploy --gateway\n`, log.String())
	require.Contains(t, log.String(), "PLACE=here\n")
	require.Contains(t, log.String(), "CLOUDFLARE_API_TOKEN=y\n")
	require.NotContains(t, log.String(), "TURSO_API_TOKEN")
	require.Contains(t, log.String(), "600\n{\"LIBSQL_AUTH_TOKEN\":\"z\"}")
	file := regexp.MustCompile(`PLAZA_SECRETS_FILE=(.*)`).FindStringSubmatch(log.String())
	require.NotNil(t, file)
	_, err := os.Stat(file[1])
	require.ErrorIs(t, err, os.ErrNotExist, "the file is gone")

	log.Reset()
	left := filepath.Join(folder, secretsFile) // left over from a run that was killed
	require.NoError(t, os.WriteFile(left, []byte(`{"LIBSQL_AUTH_TOKEN":"an old one"}`), 0o644))
	require.NoError(t, deploySite(t.Context(), folder, environment(), secrets, d, &log))
	require.Contains(t, log.String(), "600\n{\"LIBSQL_AUTH_TOKEN\":\"z\"}")

	log.Reset()
	require.NoError(t, os.WriteFile(left, []byte("{}"), 0o600))
	require.NoError(t, deploySite(t.Context(), folder, environment(), secrets, setup.Deployment{}, &log))
	require.Regexp(t, `^deploy\n`, log.String())
	require.NotContains(t, log.String(), "PLAZA_SECRETS_FILE")
	_, err = os.Stat(left)
	require.ErrorIs(t, err, os.ErrNotExist)
}

// TestTwoDeploymentsAtOnce: setups of two sites run at the same time, and each uses its own secrets.
func TestTwoDeploymentsAtOnce(t *testing.T) {
	first, second := t.TempDir(), t.TempDir()
	environment := func() []string { return []string{"PATH=" + os.Getenv("PATH")} }
	began, ended := filepath.Join(first, "began"), filepath.Join(second, "ended")
	script := func(folder, text string) {
		t.Helper()
		require.NoError(t, os.WriteFile(filepath.Join(folder, "build.sh"), []byte("#!/bin/bash\n"+text), 0o755))
	}
	script(first, "touch "+began+"; until [[ -e "+ended+" ]]; do sleep 0.01; done; cat \"$PLAZA_SECRETS_FILE\"")
	script(second, "true")
	var log bytes.Buffer
	result := make(chan error)
	go func() {
		result <- deploySite(t.Context(), first, environment(), nil, setup.Deployment{Secrets: map[string]string{"LIBSQL_AUTH_TOKEN": "z"}}, &log)
	}()
	require.Eventually(t, func() bool { _, err := os.Stat(began); return err == nil }, time.Minute, 10*time.Millisecond)
	require.NoError(t, deploySite(t.Context(), second, environment(), nil, setup.Deployment{}, io.Discard))
	require.NoError(t, os.WriteFile(ended, nil, 0o600))
	require.NoError(t, <-result)
	require.Equal(t, `{"LIBSQL_AUTH_TOKEN":"z"}`, log.String())
}
