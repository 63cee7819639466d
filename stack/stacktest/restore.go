package stacktest

import (
	"compress/gzip"
	"io"
	"os"
	"strings"
	"testing"

	"plaza/data/schema"
	"plaza/data/wire/hrana"
)

// Restore fills an empty database with the gzipped dump of another, as sqld writes it under /dump.
func Restore(t testing.TB, c *hrana.Client, file string) {
	t.Helper()
	text, err := gunzip(file)
	if err != nil {
		t.Fatal(err)
	}
	var stmts []hrana.Stmt
	for _, sql := range schema.Split(text) {
		switch word, _, _ := strings.Cut(sql, " "); word {
		case "CREATE", "INSERT":
			stmts = append(stmts, hrana.Stmt{SQL: sql})
		}
	}
	if _, err := c.Tx(t.Context(), stmts...); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

func gunzip(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	in, err := gzip.NewReader(f)
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(in)
	return string(text), err
}
