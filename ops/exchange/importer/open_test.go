package importer

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/ops/exchange"
)

// endless is a text without an end. It cancels the import after some of it, like Ctrl-C.
type endless struct {
	text []byte
	read atomic.Int64
	stop func()
}

func (e *endless) Read(p []byte) (int, error) {
	n := copy(p, bytes.Repeat(e.text, 1+len(p)/len(e.text)))
	if e.read.Add(int64(n)) > 300<<10 && e.stop != nil {
		e.stop()
	}
	return n, nil
}

func (e *endless) Close() error { return nil }

func TestEndless(t *testing.T) {
	db := mustOpen(t)
	for _, format := range Formats() {
		for name, text := range map[string]string{"an endless line": "x", "empty lines": "\n", "bad lines": "x\n"} {
			t.Run(string(format)+" of "+name+" ends when the import is interrupted", func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				head := map[Format]string{Neutral: neutralHeader, RedditCSV: redditHeader}[format]
				in := &endless{text: []byte(text), stop: cancel}
				for _, shift := range []bool{false, true} {
					_, err := Import(ctx, data.NewDB(db), Options{Format: format, Now: importNow, Shift: shift,
						Sources: []Source{{Name: "x.csv", Open: func() (io.ReadCloser, error) {
							return struct {
								io.Reader
								io.Closer
							}{io.MultiReader(strings.NewReader(head), in), in}, nil
						}}}})
					require.ErrorIs(t, err, context.Canceled)
				}
			})
		}
		t.Run(string(format)+" ends at a line that has no end", func(t *testing.T) {
			head := map[Format]string{Neutral: neutralHeader, RedditCSV: redditHeader}[format]
			in := &endless{text: []byte(strings.Repeat("x", 1000))}
			_, err := Import(t.Context(), data.NewDB(db),
				Options{Format: format, Now: importNow, Sources: []Source{{Name: "x.csv", Open: func() (io.ReadCloser, error) {
					return struct {
						io.Reader
						io.Closer
					}{io.MultiReader(strings.NewReader(head), in), in}, nil
				}}}})
			require.ErrorIs(t, err, exchange.ErrEndless)
			require.Less(t, in.read.Load(), int64(exchange.MaxRead+8<<20))
		})
	}

	t.Run("a pipe to which nobody writes", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		r, w, err := os.Pipe()
		require.NoError(t, err)
		defer w.Close()
		_, err = Import(ctx, data.NewDB(db), Options{Format: Neutral, Now: importNow,
			Sources: []Source{{Name: "pipe", Open: func() (io.ReadCloser, error) {
				return struct {
					io.Reader
					io.Closer
				}{readerFunc(func(p []byte) (int, error) { cancel(); return r.Read(p) }), r}, nil
			}}}})
		require.ErrorIs(t, err, context.Canceled)
	})

	t.Run("a small gzip of a large file", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		_, err := z.Write(bytes.Repeat([]byte{'\n'}, 64<<20))
		require.NoError(t, err)
		require.NoError(t, z.Close())
		s := textSource("x", packed.String())
		o, err := openSource(ctx, s, false)
		require.NoError(t, err)
		defer o.close()
		_, err = o.Read(make([]byte, 1<<20))
		require.NoError(t, err)
		cancel()
		_, err = exchange.NewLines(o).Next()
		require.ErrorIs(t, err, context.Canceled)
	})
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// A file of a few bytes determines how much memory its decompression needs.
func TestWindow(t *testing.T) {
	pack := func(o ...zstd.EOption) string {
		var b bytes.Buffer
		z, err := zstd.NewWriter(&b, o...)
		require.NoError(t, err)
		_, err = z.Write(bytes.Repeat([]byte("\n"), 4<<20))
		require.NoError(t, err)
		require.NoError(t, z.Close())
		return b.String()
	}
	read := func(text string, long bool) (uint64, error) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		o, err := openSource(t.Context(), textSource("x.zst", text), long)
		require.NoError(t, err)
		defer o.close()
		_, err = io.Copy(io.Discard, o)
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc, err
	}
	ordinary, large := pack(), pack(zstd.WithWindowSize(zstd.MaxWindowSize))
	require.Less(t, len(large), 10_000)
	// The header of a frame with 3 GB in one segment, and a block of zeros.
	single := "\x28\xb5\x2f\xfd\xe0" + "\x00\x00\x00\xc0\x00\x00\x00\x00" + "\x03\x00\x10\x00"

	_, err := read(ordinary, false)
	require.NoError(t, err)
	taken, err := read(large, false)
	require.ErrorContains(t, err, "to unpack it takes more than 128 MB of memory: allow that with --long")
	require.Less(t, taken, uint64(32<<20))
	_, err = read(large, true)
	require.NoError(t, err)
	for long, says := range map[bool]string{false: "128 MB of memory: allow that with --long", true: "2048 MB of memory"} {
		taken, err = read(single, long)
		require.ErrorContains(t, err, says)
		require.Less(t, taken, uint64(32<<20))
	}
}
