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
	consumed atomic.Int64 // bytes of the compressed source that were read
	close    func()
}

// The windows of zstd. Decompression needs that much memory before the first byte, whatever the size of the file. The dumps of Pushshift
// are compressed with --long=31.
const (
	window     = 128 << 20 // zstd's own default
	longWindow = 1 << 31
)

// openSource opens a source. It detects gzip and zstd by the first bytes, whatever the name. Reading ends with the context.
func openSource(ctx context.Context, s Source, long bool) (*opened, error) {
	raw, err := s.Open()
	if err != nil {
		return nil, err
	}
	endWatch := context.AfterFunc(ctx, func() { raw.Close() }) // ends a blocked read, as of a pipe
	o := &opened{close: func() { endWatch(); raw.Close() }}
	in := bufio.NewReaderSize(&ctxReader{ctx, raw, &o.consumed}, 64<<10)
	o.Reader = in
	magic, _ := in.Peek(4) // a file may be shorter
	switch {
	case ctx.Err() != nil:
		err = ctx.Err()
	case bytes.HasPrefix(magic, []byte{0x1f, 0x8b}):
		o.Reader, err = gzip.NewReader(in)
	case bytes.Equal(magic, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		maxSize, hint := uint64(window), fmt.Sprintf(": allow that with --long, which takes up to %d MB", longWindow>>20)
		if long {
			maxSize, hint = longWindow, ""
		}
		var d *zstd.Decoder
		if d, err = zstd.NewReader(in, zstd.WithDecoderMaxWindow(maxSize), zstd.WithDecoderMaxMemory(maxSize), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderConcurrency(1)); err == nil {
			o.Reader = &unzstd{d, fmt.Errorf("to unpack it takes more than %d MB of memory%s", maxSize>>20, hint)}
			o.close = func() { endWatch(); d.Close(); raw.Close() }
		}
	}
	if err != nil {
		o.close()
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	o.Reader = &ctxReader{ctx, o.Reader, new(atomic.Int64)}
	return o, nil
}

// unzstd replaces the error of a file that needs too much memory.
type unzstd struct {
	*zstd.Decoder
	tooLarge error
}

func (u *unzstd) Read(p []byte) (int, error) {
	n, err := u.Decoder.Read(p)
	if errors.Is(err, zstd.ErrWindowSizeExceeded) || errors.Is(err, zstd.ErrDecoderSizeExceeded) {
		err = u.tooLarge
	}
	return n, err
}

// ctxReader reads until the context ends, and counts the bytes. A small compressed file may take hours to read.
type ctxReader struct {
	ctx  context.Context
	in   io.Reader
	read *atomic.Int64
}

func (w *ctxReader) Read(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := w.in.Read(p)
	w.read.Add(int64(n))
	if err != nil && w.ctx.Err() != nil {
		err = w.ctx.Err()
	}
	return n, err
}
