package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/test/stacktest"
)

func TestAPackedProgramGoesOnFromItsSnapshot(t *testing.T) {
	root, err := filepath.Abs("../../..")
	require.NoError(t, err)
	node := filepath.Join(root, "node_modules", ".bin", "node")
	if _, err := os.Stat(node); err != nil {
		t.Skip("there is no node: ./build.sh installs it")
	}
	stacktest.Inputs(t, "worker/edge/pack/testdata", "worker/edge/shim/snapshot.mjs", "go.mod", "node_modules/.package-lock.json")
	run := func(name string, args ...string) string {
		t.Helper()
		c := exec.Command(name, args...)
		c.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
		out, err := c.CombinedOutput()
		require.NoError(t, err, string(out))
		return string(out)
	}
	dir := t.TempDir()
	plain, exporting := filepath.Join(dir, "plain.wasm"), filepath.Join(dir, "exports_globals.wasm")
	run("go", "build", "-trimpath", "-ldflags=-s -w", "-o", plain, "./testdata/program")
	before, err := os.ReadFile(plain)
	require.NoError(t, err)
	written := filepath.Join(dir, "written.wasm")
	require.NoError(t, os.Link(plain, written))
	require.NoError(t, exportGlobals(plain, exporting))
	glue := filepath.Join(strings.TrimSpace(run("go", "env", "GOROOT")), "lib/wasm/wasm_exec.js")
	said := run(node, "testdata/snapshot.mjs", glue, exporting, dir)
	assert.Contains(t, said, "begun with one\nmain.main ")
	assert.Contains(t, said, "begun with two\nmain.main ")
	assert.Equal(t, 2, strings.Count(said, "100 4950"), said)

	require.NoError(t, insertSnapshot(plain, dir))
	assert.NoFileExists(t, plain+".partial")
	after, err := os.ReadFile(plain)
	require.NoError(t, err)
	assert.Equal(t, said, run(node, "testdata/snapshot.mjs", glue, plain, dir, "packed"))
	assert.Less(t, len(after), len(before)*95/100, "a Go that does without the table does without that part of this command")
	code := func(module []byte) int {
		all, err := parse(module)
		require.NoError(t, err)
		return len(all.find(sectionCode).body)
	}
	saved := 1 - float64(code(after))/float64(code(before))
	assert.Greater(t, saved, 0.12, "of the code: what another compiler writes may not be recognised (shorten.go)")
	same, err := os.ReadFile(written)
	require.NoError(t, err)
	assert.True(t, bytes.Equal(before, same), "another file takes the place of what was there")

	memory, err := os.ReadFile(filepath.Join(dir, "memory"))
	require.NoError(t, err)
	globals := []string{"1", "2", "3", "4", "5", "6", "7", "8"}
	_, err = withSnapshot(after, memory, globals)
	assert.Error(t, err, "it has a start function")
	_, err = withSnapshot(before, memory, globals[1:])
	assert.ErrorContains(t, err, "the snapshot has 7 globals, the module 8")
	_, err = withSnapshot(before, memory[1:], globals)
	assert.ErrorContains(t, err, "page size")
	for _, cut := range []int{0, 8, 9, 200, len(before) / 2, len(before) - 1000} {
		_, err := withSnapshot(before[:cut], memory, globals)
		assert.Error(t, err, cut)
	}
}

func TestBytesBehindTheLastFunctionAreRefused(t *testing.T) {
	function := body()
	list := append(appendUnsigned([]byte{1}, len(function)), function...)
	assert.NoError(t, sections{{sectionCode, list}}.shortenAll())
	assert.ErrorIs(t, sections{{sectionCode, append(list, 0)}}.shortenAll(), errBroken)
	list[0] = 2
	assert.ErrorIs(t, sections{{sectionCode, list}}.shortenAll(), errBroken)
}

func TestSignedNumbers(t *testing.T) {
	for n, want := range map[int64]string{0: "00", 63: "3f", 64: "c000", -1: "7f", -64: "40", -65: "bf7f", 1 << 62: "8080808080808080c000", -1 << 63: "8080808080808080807f"} {
		assert.Equal(t, want, fmt.Sprintf("%x", appendSigned(nil, n)), n)
	}
}

func TestSegments(t *testing.T) {
	for name, image := range map[string][]byte{
		"nothing":        {},
		"zeros":          make([]byte, 100),
		"few zeros":      append([]byte{1}, append(make([]byte, segmentCost-1), 2)...),
		"many zeros":     append([]byte{1}, append(make([]byte, segmentCost), 2)...),
		"zeros in front": append(make([]byte, 1<<14), 3),
		"places whose numbers have the sign's bit": append(append(make([]byte, 64), 1), append(make([]byte, 8191-65), 1)...),
		"too many segments":                        bytes.Repeat(append([]byte{7}, make([]byte, segmentCost)...), maxSegments+10),
	} {
		t.Run(name, func(t *testing.T) {
			data := segments(image)
			r := reader{rest: data}
			assert.LessOrEqual(t, r.unsigned(), maxSegments)
			again, err := readImage(data)
			require.NoError(t, err)
			assert.True(t, bytes.Equal(bytes.TrimRight(image, "\x00"), again))
		})
	}
}

func TestFindTable(t *testing.T) {
	counting := func(numbers int) (b []byte) {
		for i := range numbers * perNumber {
			b = append(b, record(i/perNumber)...)
		}
		return b
	}
	for _, test := range []struct {
		image []byte
		want  string
	}{
		{counting(1000), "{0 16000} true"},
		{append([]byte("before it"), append(counting(1234), "behind it"...)...), "{9 19744} true"},
		{append(counting(300), counting(1000)...), "{96000 16000} true"},
		{counting(999), "{0 0} false"},
		{counting(1000)[1:], "{0 0} false"},
		{nil, "{0 0} false"},
	} {
		found, ok := findTable(test.image)
		assert.Equal(t, test.want, fmt.Sprint(found, ok))
	}
}
