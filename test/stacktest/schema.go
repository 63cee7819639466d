package stacktest

import (
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"plaza/data/pace/deadline"
	"plaza/data/wire/hrana"
	"plaza/ops/migrate"
	"plaza/stack"
)

// created are the files of a database with schema.sql applied. To copy them takes sqld a tenth of the work of the statements.
var created struct {
	once  sync.Once
	files Files
	err   error
}

// OpenSchema creates a database for the test with schema.sql applied.
func OpenSchema(t testing.TB) *hrana.Client {
	t.Helper()
	url, client := OpenSchemaDB(t)
	c := hrana.New(hrana.Options{URL: url, HTTP: client, ReadTime: ReadTime, WorkTime: workTime()})
	names.Store(c, nameOf(url))
	t.Cleanup(func() { names.Delete(c) })
	return c
}

// names are those of the databases of OpenSchema, by client.
var names sync.Map

// Written returns a number that grows with each transaction that writes to a database of OpenSchema: the bytes of sqld's replication log.
// To compare it is much cheaper than to read all tables. Of another database it is not known.
func Written(c *hrana.Client) (bytes int64, known bool) {
	name, known := names.Load(c)
	if !known {
		return 0, false
	}
	log, err := os.Stat(filepath.Join(shared.folder(name.(string)), "wallog"))
	if err != nil {
		return 0, false
	}
	return log.Size(), true
}

// OpenSchemaDB is OpenDB for a database with schema.sql applied.
func OpenSchemaDB(t testing.TB) (url string, client *http.Client) {
	t.Helper()
	created.once.Do(func() {
		created.err = errors.New("schema.sql could not be applied")
		created.files, created.err = keptSchema(t)
	})
	if created.err != nil {
		t.Fatalf("sqld: %v", created.err)
	}
	return openDB(t, created.files.write)
}

// ReadTime is the longest that a try to read may take in a request of a test: all of the request's time. With the client's own, a
// machine that does much else makes it ask again, and a test that counts requests sees two.
const ReadTime = deadline.Request

// workTime is the longest that a statement may take. On a machine that does much else, one that fills a table takes more than the client's
// ten seconds. With PLAZA_SLOW, tests make indexes over millions of rows.
func workTime() time.Duration {
	if os.Getenv("PLAZA_SLOW") != "" {
		return 10 * time.Minute
	}
	return time.Minute
}

// keptSchema reads the files that the tests of another package have made with the same sqld, or makes them. They are kept outside of the
// module: Go takes no result of its test cache when a file of the module that the test has read has changed.
func keptSchema(t testing.TB) (files Files, err error) {
	t.Helper()
	folder, err := os.UserCacheDir()
	if err != nil {
		return makeSchema(t)
	}
	bin, _ := stack.FindSQLD() // Stat refuses ""
	size, err := os.Stat(bin)
	if err != nil {
		return nil, err
	}
	kept := fmt.Sprintf("%s/plaza-schema-%d-%x", folder, size.Size(), sha256.Sum256(fmt.Append(nil, migrate.FullSchema())))
	if text, err := os.ReadFile(kept); err == nil && gob.NewDecoder(bytes.NewReader(text)).Decode(&files) == nil {
		return files, nil
	}
	if files, err = makeSchema(t); err != nil {
		return nil, err
	}
	older, _ := filepath.Glob(folder + "/plaza-schema-*")
	for _, path := range older {
		_ = os.Remove(path)
	}
	// Several packages do this at once. One file holds both, so that nobody reads half of them; without it, the next package makes them again.
	var text bytes.Buffer
	part := fmt.Sprint(kept, ".", os.Getpid())
	if gob.NewEncoder(&text).Encode(files) == nil && os.WriteFile(part, text.Bytes(), 0o600) == nil {
		_ = os.Rename(part, kept)
	}
	return files, nil
}

// makeSchema applies schema.sql to a database of the test's and reads its files.
func makeSchema(t testing.TB) (Files, error) {
	t.Helper()
	url, client := OpenDB(t)
	ApplySchema(t, hrana.New(hrana.Options{URL: url, HTTP: client}))
	return filesOf(url)
}

// ApplySchema makes the tables of schema.sql, as plaza migrate leaves them.
func ApplySchema(t testing.TB, c *hrana.Client) {
	t.Helper()
	stmts := migrate.FullSchema()
	if _, err := c.Tx(t.Context(), stmts...); err != nil {
		var e *hrana.Error
		if errors.As(err, &e) && e.Step >= 0 {
			t.Fatalf("schema.sql: %v\n%s", err, stmts[e.Step].SQL)
		}
		t.Fatalf("schema.sql: %v", err)
	}
}
