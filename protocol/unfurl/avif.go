package unfurl

import "encoding/binary"

// avifPixels counts every coded picture of a file: the visible one, its alpha channel, tiles and thumbnails. It reads the sizes from the
// coded data, because decoders may ignore those in the container. A file with tracks is an animation, which it does not read. ISO/IEC
// 14496-12, 8.11; ISO/IEC 23008-12, 6.6.2.3
func avifPixels(b []byte) Pixels {
	var coded, declared, grids Pixels
	if string(b[4:12]) != "ftypavif" || within(b, "moov") != nil {
		return coded
	}
	meta := within(b, "meta")
	eachBox(within(meta, "iprp", "ipco"), func(kind string, body []byte) {
		if kind == "ispe" && len(body) >= 12 {
			var one Pixels
			one.add(int(binary.BigEndian.Uint32(body[4:])), int(binary.BigEndian.Uint32(body[8:])))
			declared = declared.or(one)
		}
	})
	kinds, remaining := itemKinds(within(meta, "iinf")), 4*len(b) // equal tiles may share their data
	readable := eachItem(within(meta, "iloc"), func(id uint32, inMeta bool, extents [][2]uint64) bool {
		kind := kinds[id]
		if kind != "av01" && kind != "grid" {
			return true // no decoder draws it
		}
		from := b
		if inMeta {
			from = within(meta, "idat")
		}
		data, ok := join(from, extents, remaining)
		remaining -= len(data)
		width, height := 0, 0
		if kind == "grid" && ok {
			width, height = gridSize(data)
			grids.add(width, height)
		} else if ok {
			width, height = av1Size(data)
			coded.add(width, height)
		}
		return width > 0 && height > 0
	})
	if !readable || coded.Total == 0 || declared.Total == 0 {
		return Pixels{}
	}
	return coded.or(declared).or(grids)
}

// itemKinds returns the kinds of the items by their ids, from the body of an "iinf" box.
func itemKinds(b []byte) map[uint32]string {
	kinds := map[uint32]string{}
	head := 6 // version, flags, count
	if len(b) > 0 && b[0] > 0 {
		head = 8
	}
	eachBox(b[min(head, len(b)):], func(kind string, body []byte) {
		f := fields{b: body}
		version := f.number(4) >> 24
		size := 2
		if version > 2 {
			size = 4
		}
		id := f.number(size)
		f.number(2) // protection
		if word := f.word(4); kind == "infe" && version >= 2 && !f.short {
			kinds[uint32(id)] = word
		}
	})
	return kinds
}

// itemsMax and extentsMax are more than pictures have. The numbers in a file may be larger than the file.
const itemsMax, extentsMax = 1000, 100

// eachItem reads the body of an "iloc" box: the offsets and lengths of the items' data. It stops, and returns false, when do does, and at
// invalid data.
func eachItem(b []byte, do func(id uint32, inMeta bool, extents [][2]uint64) bool) bool {
	f := fields{b: b}
	version := f.number(4) >> 24
	sizes := f.number(2)
	offset, length, base, index := int(sizes>>12), int(sizes>>8&15), int(sizes>>4&15), int(sizes&15)
	if version == 0 {
		index = 0
	}
	idSize := 2
	if version == 2 {
		idSize = 4
	}
	items := f.number(idSize)
	if items > itemsMax {
		return false
	}
	for range items {
		id, method := f.number(idSize), uint64(0)
		if version > 0 {
			method = f.number(2) & 15
		}
		f.number(2) // data reference
		start, count := f.number(base), f.number(2)
		if count > extentsMax {
			return false
		}
		var extents [][2]uint64
		for range count {
			f.number(index)
			extents = append(extents, [2]uint64{start + f.number(offset), f.number(length)})
		}
		if f.short || method > 1 || !do(uint32(id), method == 1, extents) {
			return false
		}
	}
	return !f.short
}

// join joins the extents of an item; the length 0 extends to the end. ok is false if one lies outside, or if they are longer than limit.
func join(b []byte, extents [][2]uint64, limit int) (data []byte, ok bool) {
	for _, e := range extents {
		size := uint64(len(b))
		if e[0] > size || e[1] > size-e[0] {
			return nil, false
		}
		end := e[0] + e[1]
		if e[1] == 0 {
			end = size
		}
		if uint64(len(data))+end-e[0] > uint64(limit) {
			return nil, false
		}
		data = append(data, b[e[0]:end]...)
	}
	return data, true
}

// gridSize reads the size of a picture of tiles.
func gridSize(b []byte) (width, height int) {
	f := fields{b: b}
	head := f.number(4)
	size := 2
	if head>>16&1 == 1 {
		size = 4
	}
	w, h := f.number(size), f.number(size)
	if f.short {
		return 0, 0
	}
	return int(w), int(h)
}

// fields reads numbers from the start of b. After the end all are 0, and short is true.
type fields struct {
	b     []byte
	short bool
}

func (f *fields) word(n int) string {
	if n > len(f.b) {
		f.b, f.short = nil, true
		return ""
	}
	word := string(f.b[:n])
	f.b = f.b[n:]
	return word
}

func (f *fields) number(n int) (v uint64) {
	for _, c := range []byte(f.word(n)) {
		v = v<<8 | uint64(c)
	}
	return v
}
