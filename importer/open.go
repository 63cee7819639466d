package importer

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/klauspost/compress/zstd"
)

// opened is a source that is being read, unpacked.
type opened struct {
	io.Reader
	raw    io.ReadCloser
	unpack func() // frees what unpacks
	count  atomic.Int64
}

// window is how far back a packed file may refer: large dumps are packed with zstd --long=31.
const window = 1 << 31

// openSource opens a source, which may be packed by gzip or zstd, whatever its name is.
func openSource(s Source) (*opened, error) {
	raw, err := s.Open()
	if err != nil {
		return nil, err
	}
	o := &opened{raw: raw, unpack: func() {}}
	in := bufio.NewReaderSize(&counter{raw, &o.count}, 64<<10)
	o.Reader = in
	magic, _ := in.Peek(4)
	switch {
	case bytes.HasPrefix(magic, []byte{0x1f, 0x8b}):
		o.Reader, err = gzip.NewReader(in)
	case bytes.Equal(magic, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		var d *zstd.Decoder
		if d, err = zstd.NewReader(in, zstd.WithDecoderMaxWindow(window), zstd.WithDecoderLowmem(true), zstd.WithDecoderConcurrency(1)); err == nil {
			o.Reader, o.unpack = d, d.Close
		}
	}
	if err != nil {
		raw.Close()
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	return o, nil
}

// consumed is how many bytes of the packed source were read.
func (o *opened) consumed() int64 { return o.count.Load() }

func (o *opened) close() {
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
