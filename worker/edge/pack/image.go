package main

import "bytes"

const (
	// longestImage is far beyond what a worker has of memory.
	longestImage = 1 << 30
	// segmentCost is about what a segment costs besides its bytes. Fewer zeros stay inside.
	segmentCost = 9
	// mostSegments is what V8 takes (kV8MaxWasmDataSegments).
	mostSegments = 100_000

	active   = 0 // a segment that is put into memory at the start, at a place that follows as instructions
	constant = 0x41
	end      = 0x0b
)

// readImage is the memory that a data section fills, from address 0.
func readImage(data []byte) ([]byte, error) {
	var image []byte
	r := reader{rest: data}
	for range r.unsigned() {
		kind, op, at, behind := r.byte(), r.byte(), r.unsigned(), r.byte()
		bytes := r.take(r.unsigned())
		if r.broken || kind != active || op != constant || behind != end || at+len(bytes) > longestImage {
			return nil, errBroken
		}
		if missing := at + len(bytes) - len(image); missing > 0 {
			image = append(image, make([]byte, missing)...)
		}
		copy(image[at:], bytes)
	}
	return image, nil
}

// segments is the data section that fills the memory so. It leaves out zeros.
func segments(image []byte) []byte {
	zeros := make([]byte, segmentCost)
	var out []byte
	n := 0
	for at := 0; at < len(image); {
		if image[at] == 0 {
			at++
			continue
		}
		size := bytes.Index(image[at:], zeros)
		if size < 0 || n == mostSegments-1 {
			size = len(bytes.TrimRight(image[at:], "\x00"))
		}
		out = append(appendSigned(append(out, active, constant), at), end)
		out = append(appendUnsigned(out, size), image[at:at+size]...)
		at += size
		n++
	}
	return append(appendUnsigned(nil, n), out...)
}
