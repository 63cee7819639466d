package stacktest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// Files are those of a database. To write them and open the copy takes sqld a tenth of the work of the statements that filled it, and less
// than a fork (ForkURL), which writes all of it anew.
type Files map[string][]byte

// FilesOf reads a database of OpenURL or OpenSchemaURL, to which nobody may write meanwhile.
func FilesOf(t testing.TB, url string) Files {
	t.Helper()
	name, known := plain.Load(url)
	if !known {
		t.Fatalf("%s is no database of OpenURL", url)
	}
	files, err := filesOf(name.(string))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// OpenFilesURL is OpenURL for a copy of a database.
func OpenFilesURL(t testing.TB, files Files) string {
	t.Helper()
	name, client := openDB(t, files.write)
	return plainURL(t, name, client)
}

// filesOf reads the files of a fork: they hold all of the database and are at rest.
func filesOf(url string) (Files, error) {
	fork := fmt.Sprintf("t%d", shared.next.Add(1))
	if err := shared.sqld.ForkNamespace(context.Background(), nameOf(url), fork); err != nil {
		return nil, err
	}
	files := Files{}
	for _, name := range []string{"data", "wallog"} {
		bytes, err := os.ReadFile(filepath.Join(shared.folder(fork), name))
		if err != nil {
			return nil, err
		}
		files[name] = bytes
	}
	return files, shared.sqld.DeleteNamespace(context.Background(), fork)
}

// write is a fill of openDB.
func (f Files) write(folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for name, bytes := range f {
		if err := os.WriteFile(filepath.Join(folder, name), bytes, 0o644); err != nil {
			return err
		}
	}
	return nil
}
