package importer

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/klauspost/compress/zstd"
)

// opened is an open source, decompressed.
type opened struct {
	io.Reader
	raw    io.ReadCloser
	unpack func()      // frees the decompressor
	watch  func() bool // ends the watch on the context
	count  atomic.Int64
}

// The windows of zstd. Decompression needs that much memory before the first byte, whatever the size of the file. The dumps of Pushshift
// are compressed with --long=31.
const (
	window     = 128 << 20 // zstd's own default
	longWindow = 1 << 31
)

// openSource opens a source, which may be compressed by gzip or zstd, with any name. Reading ends with the context.
func openSource(ctx context.Context, s Source, long bool) (*opened, error) {
	raw, err := s.Open()
	if err != nil {
		return nil, err
	}
	o := &opened{raw: raw, unpack: func() {}}
	o.watch = context.AfterFunc(ctx, func() { raw.Close() }) // ends a read that waits, such as for the other end of a pipe
	in := bufio.NewReaderSize(&counter{whileWanted{ctx, raw}, &o.count}, 64<<10)
	o.Reader = in
	magic, _ := in.Peek(4) // a file may be shorter
	switch {
	case ctx.Err() != nil:
		err = ctx.Err()
	case bytes.HasPrefix(magic, []byte{0x1f, 0x8b}):
		o.Reader, err = gzip.NewReader(in)
	case bytes.Equal(magic, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		most := uint64(window)
		if long {
			most = longWindow
		}
		var d *zstd.Decoder
		if d, err = zstd.NewReader(in, zstd.WithDecoderMaxWindow(most), zstd.WithDecoderMaxMemory(most), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderConcurrency(1)); err == nil {
			o.Reader, o.unpack = &unzstd{d, long}, d.Close
		}
	}
	if err != nil {
		o.close()
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	o.Reader = whileWanted{ctx, o.Reader}
	return o, nil
}

// unzstd returns the error in words for a file that can't be decompressed.
type unzstd struct {
	*zstd.Decoder
	long bool
}

func (u *unzstd) Read(p []byte) (int, error) {
	n, err := u.Decoder.Read(p)
	if errors.Is(err, zstd.ErrWindowSizeExceeded) || errors.Is(err, zstd.ErrDecoderSizeExceeded) {
		if u.long {
			return n, fmt.Errorf("to unpack it takes more than %d MB of memory", longWindow>>20)
		}
		return n, fmt.Errorf("to unpack it takes more than %d MB of memory: allow that with --long, which takes up to %d MB", window>>20,
			longWindow>>20)
	}
	return n, err
}

// whileWanted reads until the context ends. A small file can be compressed from one that takes hours to read.
type whileWanted struct {
	ctx context.Context
	in  io.Reader
}

func (w whileWanted) Read(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := w.in.Read(p)
	if err != nil && w.ctx.Err() != nil {
		err = w.ctx.Err()
	}
	return n, err
}

// consumed returns how many bytes of the compressed source were read.
func (o *opened) consumed() int64 { return o.count.Load() }

func (o *opened) close() {
	o.watch()
	o.unpack()
	o.raw.Close()
}

type counter struct {
	r io.Reader
	n *atomic.Int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n.Add(int64(n))
	return n, err
}
