package main

import "bytes"

const (
	// maxImage is far more than the memory of a worker.
	maxImage = 1 << 30
	// segmentCost is about the size of a segment without its bytes. Shorter runs of zeros stay inside a segment.
	segmentCost = 9
	// maxSegments is the limit of V8 (kV8MaxWasmDataSegments).
	maxSegments = 100_000

	active   = 0 // a segment that is copied into memory at the start, to an address that instructions compute
	constant = 0x41
	end      = 0x0b
)

// readImage returns the memory that a data section fills, from address 0.
func readImage(data []byte) ([]byte, error) {
	var image []byte
	r := reader{rest: data}
	for range r.unsigned() {
		kind, op, at, last := r.byte(), r.byte(), r.unsigned(), r.byte()
		bytes := r.take(r.unsigned())
		if r.broken || kind != active || op != constant || last != end || at+len(bytes) > maxImage {
			return nil, errBroken
		}
		if missing := at + len(bytes) - len(image); missing > 0 {
			image = append(image, make([]byte, missing)...)
		}
		copy(image[at:], bytes)
	}
	return image, nil
}

// segments returns the data section that fills the memory with image. It leaves out zeros.
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
		if size < 0 || n == maxSegments-1 {
			size = len(bytes.TrimRight(image[at:], "\x00"))
		}
		out = append(appendSigned(append(out, active, constant), int64(at)), end)
		out = append(appendUnsigned(out, size), image[at:at+size]...)
		at += size
		n++
	}
	return append(appendUnsigned(nil, n), out...)
}
