package stacktest

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plaza/stack"
)

// Inputs looks at files and folders of the repository that only child processes of the test read. Go's test cache repeats an "ok" until a
// file changes that the test itself has looked at. Inputs walks folders, without node_modules and without names that begin with a dot.
func Inputs(t testing.TB, paths ...string) {
	t.Helper()
	root, err := stack.Root()
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		path = filepath.Join(root, path)
		if _, err := os.Stat(path); err != nil {
			t.Fatal(err)
		}
		// To read a folder is to look at what is in it.
		err := filepath.WalkDir(path, func(below string, entry fs.DirEntry, err error) error {
			if err == nil && below != path && entry.IsDir() && (entry.Name() == "node_modules" || strings.HasPrefix(entry.Name(), ".")) {
				return filepath.SkipDir
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
