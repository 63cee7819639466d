package importer

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/csv"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/ops/exchange"
)

func textSource(name, text string) Source {
	return Source{Name: name, Size: int64(len(text)), Open: func() (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(text)), nil
	}}
}

const header = "id,title,created_utc,ups,downs\n"

// readAll returns the titles of the valid rows and the mistakes of the others.
func readAll(t *testing.T, s Source) (titles []string, bad []Bad) {
	t.Helper()
	in, err := openSource(context.Background(), s, false)
	require.NoError(t, err)
	defer in.close()
	r, err := openRows(in)
	require.NoError(t, err)
	for {
		row, err := r.next()
		var b *exchange.LineError
		switch {
		case errors.Is(err, io.EOF):
			return titles, bad
		case errors.As(err, &b):
			bad = append(bad, Bad{s.Name, row.line, b.Reason})
		default:
			require.NoError(t, err)
			titles = append(titles, row.get("title"))
		}
	}
}

func TestRows(t *testing.T) {
	tests := []struct {
		name, text string
		titles     []string
		bad        []string
	}{
		{"reads plain rows", "1,a,1,2,3\n2,b,1,2,3\n", []string{"a", "b"}, nil},
		{"reads a last row without a line end", "1,a,1,2,3", []string{"a"}, nil},
		{"reads Windows line ends", "1,a,1,2,3\r\n2,b,1,2,3\r\n", []string{"a", "b"}, nil},
		{"passes over empty lines", "\n1,a,1,2,3\n\n\n2,b,1,2,3\n\n", []string{"a", "b"}, nil},
		{"reads quoted fields with commas, quotes and line ends", "1,\"a, \"\"b\"\"\nc\",1,2,3\n2,d,1,2,3\n", []string{"a, \"b\"\nc", "d"}, nil},
		{"skips a row with too few fields", "1,a,1\n2,b,1,2,3\n", []string{"b"}, []string{"t:2: 3 fields where the header has 5"}},
		{"skips a row with a quote inside a field", "1,a\"b\"c,1,2,3\n2,b,1,2,3\n", []string{"b"},
			[]string{"t:2: not CSV: a quote inside a field without quotes"}},
		{"loses one row to a quote that is never closed", "1,\"a,1,2,3\n2,b,1,2,3\n3,c,1,2,3\n", []string{"b", "c"},
			[]string{"t:2: a quote is opened and never closed"}},
		{"loses one row to a stray quote before a quoted row", "1,\"a,1,2,3\n2,b,1,2,3\n3,\"c\nd\",1,2,3\n4,e,1,2,3\n",
			[]string{"b", "c\nd", "e"}, []string{"t:2: not CSV: text after a closing quote"}},
		{"names the line of a bad row after rows of many lines", "1,\"a\n\nb\",1,2,3\n2,b\n", []string{"a\n\nb"},
			[]string{"t:5: 2 fields where the header has 5"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			titles, bad := readAll(t, textSource("t", header+test.text))
			require.Equal(t, test.titles, titles)
			var said []string
			for _, b := range bad {
				said = append(said, b.String())
			}
			require.Equal(t, test.bad, said)
		})
	}

	t.Run("a stray quote takes no more than one row of a long file", func(t *testing.T) {
		var b strings.Builder
		b.WriteString(header + "0,\"broken,1,2,3\n")
		for range 5000 {
			b.WriteString("1,a,1,2,3\n")
		}
		titles, bad := readAll(t, textSource("t", b.String()))
		require.Len(t, titles, 5000)
		require.Len(t, bad, 1)
		require.Equal(t, 2, bad[0].Line)
	})

	t.Run("reads gzip", func(t *testing.T) {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, _ = z.Write([]byte(header + "1,a,1,2,3\n"))
		require.NoError(t, z.Close())
		titles, _ := readAll(t, textSource("t.gz", b.String()))
		require.Equal(t, []string{"a"}, titles)
	})

	t.Run("refuses a file of another format and an empty one", func(t *testing.T) {
		_, err := openItems(context.Background(), textSource("t", "name,age\nann,7\n"), Options{Format: RedditCSV})
		require.EqualError(t, err, `t: the first line is not the header of this format: it has no column "id"`)
		_, err = openItems(context.Background(), textSource("t", ""), Options{Format: RedditCSV})
		require.EqualError(t, err, "t: the file is empty")
	})

	t.Run("tells of a gzip that ends too early", func(t *testing.T) {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, _ = z.Write([]byte(header + strings.Repeat("1,a,1,2,3\n", 1000)))
		require.NoError(t, z.Close())
		in, err := openSource(context.Background(), textSource("t", b.String()[:b.Len()-12]), false)
		require.NoError(t, err)
		r, err := openRows(in)
		for err == nil {
			_, err = r.next()
		}
		require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	})
}

// If encoding/csv parses one record of five fields, parse returns the same.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"1,2,3,4,5\n", "\"a\",\"b\"\"c\",,,\r\n", "\"", "a\"b,,,,", ",,,,\"x\n\""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, record string) {
		r, err := openRows(strings.NewReader(header))
		require.NoError(t, err)
		r.column = nil // any number of fields
		c := csv.NewReader(strings.NewReader(record))
		want, err := c.Read()
		if err != nil || strings.Contains(record, "\r") || strings.HasPrefix(record, "\n") {
			_, _ = r.parse([]byte(record))
			return
		}
		if _, err := c.Read(); !errors.Is(err, io.EOF) {
			return // more than one record
		}
		got, reason := r.parse([]byte(record))
		if reason == "" && len(got) == len(want) {
			require.Equal(t, want, got)
		}
	})
}
