package backup_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/ops/backup"
	"plaza/test/sitetest"
)

// forgery is a backup that an attacker changes, with correct sums.
type forgery struct {
	*testing.T
	dir, file string
	text      []byte // of the file, decompressed
	manifest  []byte
}

func forge(t *testing.T, s *sitetest.Site) *forgery {
	t.Helper()
	f := &forgery{T: t, dir: filepath.Join(t.TempDir(), "backup")}
	m, err := backup.Write(ctx, f.dir, siteOf(s.URLs), quiet)
	require.NoError(t, err)
	require.Empty(t, m.Changed())
	f.file = filepath.Join(f.dir, m.Databases[len(m.Databases)-1].File)
	zip, err := gzip.NewReader(bytes.NewReader(mustRead(t, f.file)))
	require.NoError(t, err)
	f.text, err = io.ReadAll(zip)
	require.NoError(t, err)
	f.manifest = mustRead(t, filepath.Join(f.dir, "manifest.json"))
	return f
}

// write writes the directory's file with another text, and a matching manifest. With without, the manifest lacks the fields that earlier
// builds did not write.
func (f *forgery) write(text []byte, without bool) {
	f.Helper()
	var packed bytes.Buffer
	zip := gzip.NewWriter(&packed)
	_, err := zip.Write(text)
	require.NoError(f, err)
	require.NoError(f, zip.Close())
	f.pack(packed.Bytes(), text, without)
}

func (f *forgery) pack(packed, text []byte, without bool) {
	f.Helper()
	require.NoError(f, os.WriteFile(f.file, packed, 0o600))
	schema := sha256.New()
	for line := range bytes.Lines(text) {
		if bytes.HasPrefix(line, []byte(`{"kind"`)) {
			schema.Write(line)
		}
	}
	var m map[string]any
	require.NoError(f, json.Unmarshal(f.manifest, &m))
	d := m["databases"].([]any)[len(m["databases"].([]any))-1].(map[string]any)
	sum := sha256.Sum256(packed)
	d["bytes"], d["sha256"], d["schema_sha256"] = len(packed), hex.EncodeToString(sum[:]), hex.EncodeToString(schema.Sum(nil))
	if without {
		delete(d, "schema_sha256")
	}
	again, err := json.Marshal(m)
	require.NoError(f, err)
	require.NoError(f, os.WriteFile(filepath.Join(f.dir, "manifest.json"), again, 0o600))
}

// TestForgeries changes the statements that a restore would run. The databases, which are not empty, stay unchanged.
func TestForgeries(t *testing.T) {
	s := sitetest.OpenFilled(t, 2)
	f := forge(t, s)
	_, site, opened := empty(t, 2)
	for _, db := range opened {
		_, err := db.Exec(`CREATE TABLE precious (a INTEGER)`)
		require.NoError(t, err)
	}
	refused := func(t *testing.T, o backup.Options, says string) {
		t.Helper()
		o.Overwrite = true
		_, err := backup.Restore(ctx, f.dir, site, o, quiet)
		require.ErrorContains(t, err, says)
		for _, db := range opened {
			require.Len(t, dump(t, db), 1, "nothing was changed")
		}
	}
	replace := func(old, new string) []byte {
		require.Equal(t, 1, bytes.Count(f.text, []byte(old)), old)
		return bytes.Replace(f.text, []byte(old), []byte(new), 1)
	}
	at := func(line, with string) []byte { return replace(line, with+line) }
	const index = `{"kind":"index","name":"posts_hot",`
	const end = `{"end":true}`
	for name, c := range map[string]struct {
		text []byte
		says string
	}{
		"another statement": {replace(index+`"sql":"CREATE INDEX posts_hot`,
			index+`"sql":"DROP TABLE users; CREATE INDEX posts_hot`), "is not one statement"},
		"a statement of another kind": {at(end, `{"kind":"index","name":"x","sql":"DELETE FROM users"}`+"\n"), "makes something else"},
		"another name": {at(end, `{"kind":"index","name":"x","sql":"CREATE INDEX y ON users (id)"}`+"\n"),
			"makes something else"},
		"another kind": {at(end, `{"kind":"index","name":"x","sql":"CREATE TRIGGER x AFTER INSERT ON users BEGIN DELETE `+
			`FROM users; END"}`+"\n"), "makes something else"},
		"a table of a query": {at(end, `{"kind":"table","name":"x","columns":["a"],"sql":"CREATE TABLE x AS SELECT 1 AS a"}`+"\n"),
			"makes something else"},
		"another kind of virtual table": {at(end, `{"kind":"table","name":"x","sql":"CREATE VIRTUAL TABLE x USING csv `+
			`(filename='/etc/passwd')"}`+"\n"), "makes something else"},
		"a table is emptied": {at(end, `{"kind":"table","name":"users","sql":"DELETE FROM \"users\""}`+"\n"),
			`"table users" can't be made`},
		"another table is emptied": {at(end, `{"kind":"table","name":"precious","sql":"DELETE FROM \"precious\""}`+"\n"),
			"no table that a virtual table has made"},
		"what is the database's own": {at(end, `{"kind":"table","name":"sqlite_x","columns":["a"],"sql":"CREATE TABLE sqlite_x (a)"}`+"\n"),
			"can't be made"},
		"twice": {at(end, `{"kind":"view","name":"x","sql":"CREATE VIEW x AS SELECT 1"}`+"\n"+
			`{"kind":"view","name":"x","sql":"CREATE VIEW x AS SELECT 2"}`+"\n"), "can't be made"},
		"an unknown kind": {at(end, `{"kind":"pragma","name":"x","sql":"PRAGMA writable_schema = 1"}`+"\n"),
			"makes something else"},
		"a table more than the manifest": {at(end, `{"kind":"table","name":"x","columns":["a"],"sql":"CREATE TABLE x (a)"}`+"\n"+
			`{"rows":0,"sha256":"`+hex.EncodeToString(sha256.New().Sum(nil))+`"}`+"\n"), "not the tables and rows that the manifest names"},
		"a trigger more than triggers.sql": {at(end, `{"kind":"trigger","name":"x","sql":"CREATE TRIGGER x AFTER INSERT ON users BEGIN DELETE `+
			`FROM users; END"}`+"\n"), "not as in this build, nothing was changed: directory: trigger x"},
		"an index is another": {replace(`"sql":"CREATE INDEX posts_hot ON`, `"sql":"CREATE INDEX posts_hot ON users (id) -- ON`),
			"directory: index posts_hot"},
		"an index is missing": {replace(lineOf(f.text, index), ""), "directory: index posts_hot"},
		"rows that end with a statement": {bytes.Replace(f.text, []byte(`{"rows":`), []byte(`{"kind":"trigger","name":"x","sql":"CREATE TRIGGER x `+
			`AFTER INSERT ON users BEGIN DELETE FROM users; END","rows":`), 1), "are not those that were written"},
		"a statement that ends no rows": {at(end, `{"kind":"index","name":"x","rows":0,"sql":"CREATE INDEX x ON users (id)"}`+"\n"), "unknown"},
		"there is more behind the end":  {append(bytes.Clone(f.text), '\n'), "there is more behind the end"},
		"a statement that is not refused": {at(end, `{"kind":"index","name":"x","sql":"CREATE INDEX x ON users (shoe_size)"}`+"\n"),
			"directory: index x"},
	} {
		t.Run(name, func(t *testing.T) {
			f.write(c.text, false)
			refused(t, backup.Options{}, c.says)
		})
	}

	t.Run("what a database would refuse is tried before anything is deleted", func(t *testing.T) {
		f.write(at(end, `{"kind":"index","name":"x","sql":"CREATE INDEX x ON users (shoe_size)"}`+"\n"), false)
		refused(t, backup.Options{Changed: true}, "directory would refuse the backup, nothing was changed")
		f.write(bytes.Replace(f.text, []byte(`"columns":["id","username"`), []byte(`"columns":["id","shoe_size"`), 1), false)
		refused(t, backup.Options{Changed: true}, "directory would refuse the backup, nothing was changed")
	})

	t.Run("a changed schema, with and without a sum of it", func(t *testing.T) {
		changed := at(end, `{"kind":"view","name":"x","sql":"CREATE VIEW x AS SELECT 1 AS a"}`+"\n")
		f.write(changed, true)
		refused(t, backup.Options{}, "directory: view x")
		before := f.manifest
		f.write(changed, false)
		sum := sha256.Sum256(before)
		refused(t, backup.Options{Changed: true, SHA256: hex.EncodeToString(sum[:])}, "it is another backup, nothing was changed")
		_, err := backup.Restore(ctx, f.dir, site, backup.Options{Overwrite: true, Changed: true}, quiet)
		require.NoError(t, err)
	})

	t.Run("the backup itself", func(t *testing.T) {
		f.write(f.text, false)
		_, err := backup.Restore(ctx, f.dir, site, backup.Options{Overwrite: true}, quiet)
		require.NoError(t, err)
		for n := range opened {
			require.Equal(t, dump(t, s.Shards[n]), dump(t, opened[n]))
		}
	})
}

func lineOf(text []byte, begin string) string {
	from := bytes.Index(text, []byte(begin))
	return string(text[from : from+bytes.IndexByte(text[from:], '\n')+1])
}

// TestBombs has small files that decompress to large ones. None takes more than 512 MB of memory, and each ends.
func TestBombs(t *testing.T) {
	s := sitetest.Open(t, 1)
	f := forge(t, s)
	first, _, _ := bytes.Cut(f.text, []byte{'\n'})
	begin := string(first) + "\n"
	const table = `{"kind":"table","name":"%","columns":["a"],"sql":"CREATE TABLE % (a)"}` + "\n"
	var names struct{ Databases []backup.Database }
	require.NoError(t, json.Unmarshal(f.manifest, &names))
	name := names.Databases[0].Tables[0].Name
	for what, c := range map[string]struct {
		begin, again, end, says string
		times                   int
	}{
		"a row without an end": {begin + strings.ReplaceAll(table, "%", name) + `["`, "xxxxxxxxxxxxxxxx", "\"]\n", "is longer than 64 MB",
			8 << 20},
		"a row of many values": {begin + strings.ReplaceAll(table, "%", name) + `[1`, ",1", "]\n", "there are more than 1 values",
			20 << 20},
		"a head without an end": {begin + `{"kind":"`, "xxxxxxxxxxxxxxxx", "\"}\n", "is longer than 4 MB", 8 << 20},
		"a deep head":           {begin + `{"kind":`, "[", "\n", "exceeded max depth", 1 << 20},
		"many objects": {begin, `{"kind":"view","name":"#","sql":"CREATE VIEW \"#\" AS SELECT 1"}` + "\n", `{"end":true}` + "\n",
			"can't be made", 1 << 18},
		"rows that nobody has told of": {begin + strings.ReplaceAll(table, "%", name), "[1]\n", "",
			"not the tables and rows that the manifest names", 1 << 22},
		"nothing but line ends": {"", "\n", "", "line 1:", 1 << 24},
		"much behind the end":   {string(f.text), "xxxxxxxxxxxxxxxx", "", "there is more behind the end", 8 << 20},
	} {
		t.Run(what, func(t *testing.T) {
			var packed bytes.Buffer
			zip := gzip.NewWriter(&packed)
			_, _ = io.WriteString(zip, c.begin)
			piece := strings.Repeat(c.again, 1<<10)
			for range c.times >> 10 {
				_, _ = io.WriteString(zip, piece)
			}
			_, _ = io.WriteString(zip, c.end)
			require.NoError(t, zip.Close())
			require.Less(t, packed.Len(), 3<<20)
			f.pack(packed.Bytes(), nil, true)
			before := heap()
			_, err := backup.Check(ctx, f.dir, quiet)
			require.ErrorContains(t, err, c.says)
			require.Less(t, heap()-before, uint64(512<<20))
		})
	}

	t.Run("a manifest of many megabytes", func(t *testing.T) {
		require.NoError(t, os.Truncate(filepath.Join(f.dir, "manifest.json"), 1<<30))
		_, err := backup.Check(ctx, f.dir, quiet)
		require.ErrorContains(t, err, "manifest.json is longer than 16 MB")
	})
	t.Run("a pipe in place of a file", func(t *testing.T) {
		f.write(f.text, false)
		require.NoError(t, os.Remove(f.file))
		require.NoError(t, syscall.Mkfifo(f.file, 0o600))
		_, err := backup.Check(ctx, f.dir, quiet)
		require.ErrorContains(t, err, "is no file")
		require.NoError(t, os.Remove(f.file))
	})
	t.Run("a check can be interrupted", func(t *testing.T) {
		f.write(f.text, false)
		ended, cancel := context.WithCancel(ctx)
		cancel()
		_, err := backup.Check(ended, f.dir, quiet)
		require.ErrorIs(t, err, context.Canceled)
	})
}

// heap returns the bytes allocated so far, freed or not.
func heap() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}
