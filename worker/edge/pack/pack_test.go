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
)

// memory says how much memory a module has when it is instantiated, and a hash of it.
const memory = `
const module = new WebAssembly.Module(require("fs").readFileSync(process.argv[1]));
const imports = {};
for (const i of WebAssembly.Module.imports(module)) (imports[i.module] ??= {})[i.name] = () => {};
const { mem } = new WebAssembly.Instance(module, imports).exports;
console.log(mem.buffer.byteLength, require("crypto").createHash("sha256").update(new Uint8Array(mem.buffer)).digest("hex"));
`

func TestPackedProgramIsTheSame(t *testing.T) {
	root, err := filepath.Abs("../../..")
	require.NoError(t, err)
	node := filepath.Join(root, "node_modules", ".bin", "node")
	if _, err := os.Stat(node); err != nil {
		t.Skip("there is no node: ./build.sh installs it")
	}
	run := func(name string, args ...string) string {
		t.Helper()
		c := exec.Command(name, args...)
		c.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
		out, err := c.CombinedOutput()
		require.NoError(t, err, string(out))
		return string(out)
	}
	plain, packed := filepath.Join(t.TempDir(), "plain.wasm"), filepath.Join(t.TempDir(), "packed.wasm")
	run("go", "build", "-trimpath", "-ldflags=-s -w", "-o", plain, "./testdata/program")
	before, err := os.ReadFile(plain)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(packed, before, 0o755))
	written := filepath.Join(t.TempDir(), "written.wasm")
	require.NoError(t, os.Link(packed, written))
	require.NoError(t, packFile(packed))
	assert.NoFileExists(t, packed+".partial")
	after, err := os.ReadFile(packed)
	require.NoError(t, err)

	same, err := os.ReadFile(written)
	require.NoError(t, err)
	assert.True(t, bytes.Equal(before, same), "another file takes the place of what was there")

	assert.Less(t, len(after), len(before)*9/10, "a Go that does without the table does without this command")
	assert.Equal(t, run(node, "-e", memory, plain), run(node, "-e", memory, packed))
	goroot := strings.TrimSpace(run("go", "env", "GOROOT"))
	says := func(wasm string) string { return run(node, filepath.Join(goroot, "lib/wasm/wasm_exec_node.js"), wasm) }
	assert.Contains(t, says(packed), "main.main ")
	assert.Equal(t, says(plain), says(packed))

	_, err = pack(after)
	assert.Error(t, err, "it has a start function")
	for _, cut := range []int{0, 8, 9, 200, len(before) / 2, len(before) - 1000} {
		_, err := pack(before[:cut])
		assert.Error(t, err, cut)
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
		"too many segments":                        bytes.Repeat(append([]byte{7}, make([]byte, segmentCost)...), mostSegments+10),
	} {
		t.Run(name, func(t *testing.T) {
			data := segments(image)
			r := reader{rest: data}
			assert.LessOrEqual(t, r.unsigned(), mostSegments)
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
