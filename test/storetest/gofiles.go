package storetest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/stack"
)

// GoFolders are the folders at the root that have Go files.
var GoFolders = []string{"bench", "cmd", "data", "e2e", "locale", "ops", "protocol", "ranking", "render", "stack", "test", "worker"}

// GoFiles calls each for every Go file of the repository that is not a test, with its path from the root. Tests of laws read them. It does
// not list the root, where each run of the suite makes folders: Go's test cache would take that for a change.
func GoFiles(t *testing.T, each func(path, text string, file *ast.File)) {
	t.Helper()
	root, err := stack.Root()
	require.NoError(t, err)
	found := 0
	visit := func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && slices.Contains([]string{"node_modules", ".wrangler"}, entry.Name()):
			return filepath.SkipDir
		case entry.IsDir(), !strings.HasSuffix(path, ".go"), strings.HasSuffix(path, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		found++
		each(filepath.ToSlash(name), string(text), file)
		return err
	}
	for _, top := range append(GoFolders, "schema.go") {
		require.NoError(t, filepath.WalkDir(filepath.Join(root, top), visit))
	}
	require.Greater(t, found, 500, "the files are found")
}
