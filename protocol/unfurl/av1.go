package unfurl

// av1Size returns the largest frame that the coded data of a picture may have, 0 if that can't be read.
// https://aomediacodec.github.io/av1-spec/av1-spec.pdf, 5.3 and 5.5
func av1Size(b []byte) (width, height int) {
	for len(b) > 0 {
		header := b[0]
		b = b[1:]
		if header&4 != 0 { // an extension
			b = b[min(1, len(b)):]
		}
		size := uint64(len(b))
		if header&2 != 0 {
			n := 0
			if size, n = leb128(b); n == 0 || size > uint64(len(b)-n) {
				return 0, 0
			}
			b = b[n:]
		}
		if header>>3&15 == 1 {
			w, h := av1Sequence(b[:size])
			if w == 0 || h == 0 {
				return 0, 0
			}
			width, height = max(width, w), max(height, h)
		}
		b = b[size:]
	}
	return width, height
}

// leb128 reads a number of at most eight bytes with seven bits each, and returns its length in bytes; 0 if it has no end.
func leb128(b []byte) (v uint64, n int) {
	for n < min(len(b), 8) {
		v |= uint64(b[n]&0x7f) << (7 * n)
		if n++; b[n-1] < 0x80 {
			return v, n
		}
	}
	return 0, 0
}

// av1Sequence reads how large the frames after a sequence's header may be. Frames of still pictures with a reduced header have exactly
// the size of the sequence. All others may have their own size, up to what its bits allow. It reads no sequence with timing information,
// which pictures don't have.
func av1Sequence(b []byte) (width, height int) {
	r := bitReader{b: b}
	r.read(3 + 1) // profile, still picture
	reduced := r.read(1) == 1
	if reduced {
		r.read(5) // level
	} else {
		times, delays := r.read(1), r.read(1)
		if times == 1 {
			return 0, 0
		}
		for range r.read(5) + 1 { // operating points
			r.read(12)
			if r.read(5) > 7 {
				r.read(1) // tier
			}
			if delays == 1 && r.read(1) == 1 {
				r.read(4)
			}
		}
	}
	widthBits, heightBits := r.read(4)+1, r.read(4)+1
	width, height = r.read(widthBits)+1, r.read(heightBits)+1
	if r.short {
		return 0, 0
	}
	if !reduced {
		width, height = 1<<widthBits, 1<<heightBits
	}
	return width, height
}

// bitReader reads bits, the highest of each byte first. After the end all are 0, and short is true.
type bitReader struct {
	b     []byte
	pos   int
	short bool
}

func (r *bitReader) read(n int) (v int) {
	for range n {
		if r.pos >= 8*len(r.b) {
			r.short = true
			return 0
		}
		v = v<<1 | int(r.b[r.pos/8]>>(7-r.pos%8)&1)
		r.pos++
	}
	return v
}
