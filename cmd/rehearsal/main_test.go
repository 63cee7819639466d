package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// The first page of an isolate is fast only if every page can be made from the tape. run fails if one can't.
func TestTheSameSourcesMakeTheSameTapes(t *testing.T) {
	one, other := t.TempDir(), t.TempDir()
	require.NoError(t, run(t.Context(), one))
	require.NoError(t, run(t.Context(), other))
	for name, address := range map[string]string{"protobuf": "/v3-protobuf/pipeline", "json": "/v3/pipeline"} {
		tape, file := read(t, one, name), filepath.Join(one, name+".tape")
		require.Equal(t, tape, read(t, other, name))
		require.Equal(t, 5, strings.Count("\n"+tape, "\npage /"))
		require.Equal(t, 5, strings.Count(tape, "\nanswer "+address+" "))

		require.NoError(t, os.Chtimes(file, epoch, epoch))
		require.NoError(t, os.WriteFile(filepath.Join(other, name+".tape"), []byte("stale"), 0o644))
	}
	require.NoError(t, os.WriteFile(filepath.Join(other, "json-4711.tape"), []byte("half"), 0o644))
	require.NoError(t, run(t.Context(), one))
	require.NoError(t, run(t.Context(), other))
	for _, name := range []string{"protobuf", "json"} {
		info, err := os.Stat(filepath.Join(one, name+".tape"))
		require.NoError(t, err)
		require.True(t, info.ModTime().Equal(epoch), "what is right is left alone")
		require.Equal(t, read(t, one, name), read(t, other, name))
	}
	left, err := os.ReadDir(other)
	require.NoError(t, err)
	require.Len(t, left, 2, "what else has the name of a tape would become a part of app.wasm")

	file := filepath.Join(other, "json.tape")
	require.NoError(t, os.Remove(file))
	require.NoError(t, os.MkdirAll(filepath.Join(file, "in the way"), 0o755))
	require.ErrorContains(t, run(t.Context(), other), "json.tape")
	for folder, want := range map[string]int{other: 2, filepath.Dir(other): 2} {
		left, err := os.ReadDir(folder)
		require.NoError(t, err)
		require.Len(t, left, want, "nothing half written stays")
	}
}

var epoch = time.Unix(0, 0)

func read(t *testing.T, folder, name string) string {
	t.Helper()
	tape, err := os.ReadFile(filepath.Join(folder, name+".tape"))
	require.NoError(t, err)
	return string(tape)
}

// build.sh makes the tapes anew when something has changed of which they are made.
func TestTheBuildKnowsWhatMakesTheTapes(t *testing.T) {
	script, err := os.ReadFile("../../build.sh")
	require.NoError(t, err)
	first := regexp.MustCompile(`find go\.mod (.*) -type f`).FindStringSubmatch(string(script))
	require.NotNil(t, first)
	watched := strings.Fields(first[1])
	list, err := exec.Command("go", "list", "-deps", ".").Output()
	require.NoError(t, err)
	native := 0
	for name := range strings.FieldsSeq(string(list)) {
		folder, ours := strings.CutPrefix(name, "plaza/")
		top, _, _ := strings.Cut(folder, "/")
		if !ours || !slices.Contains([]string{"bench", "cmd", "e2e", "stack", "tools"}, top) { // all other Go is an input
			continue
		}
		native++
		require.True(t, slices.ContainsFunc(watched, func(w string) bool { return strings.HasPrefix(folder+"/", w+"/") }), folder)
	}
	require.Greater(t, native, 2)
}

func TestAPageThatAsksForSomethingElse(t *testing.T) {
	tapes, err := record(t.Context())
	require.NoError(t, err)
	for name, tape := range tapes {
		require.NoError(t, perform(tape, name == "json"))
		for what, other := range map[string]string{
			"an answer that is missing":   tape[:strings.LastIndex(tape, "\nanswer ")+1],
			"an answer of another kind":   strings.Replace(tape, "answer /v3", "answer /v4", 1),
			"answers in another encoding": tapes[map[string]string{"json": "protobuf", "protobuf": "json"}[name]],
			"a cookie that is not valid":  strings.Replace(tape, "__Host-session=", "__Host-session=0", 1),
		} {
			require.ErrorContains(t, perform(other, name == "json"), "is not made from the tape", "%s: %s", name, what)
		}
	}
}

func TestForgetDurations(t *testing.T) {
	answer := []byte("\x0a\x01b\x1a\x0b\x08\x05\x41\x01\x02\x03\x04\x05\x06\x07\x08\x41\x09\x09\x09\x09\x09\x09\x09\x09")
	require.Error(t, forgetDurations(answer[:len(answer)-1], []uint64{3, 8}))
	require.NoError(t, forgetDurations(answer, []uint64{3, 8}))
	require.Equal(t, "\x0a\x01b\x1a\x0b\x08\x05\x41\x00\x00\x00\x00\x00\x00\x00\x00\x41\x09\x09\x09\x09\x09\x09\x09\x09", string(answer))
	rapid.Check(t, func(t *rapid.T) {
		_ = forgetDurations(rapid.SliceOf(rapid.Byte()).Draw(t, "answer"), durations) // whatever it is, it comes to an end
	})
}
