package card

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"io"
)

// unpack returns a WOFF file (w3.org/TR/WOFF, section 4) as the TrueType font that it was made of. It leaves out the tables GDEF, GPOS and
// GSUB, which drawing does not use, and does not check lengths: the files are a part of the program.
func unpack(woff []byte) ([]byte, error) {
	const header, entry, head, record = 44, 20, 12, 16 // sizes: in the file, and in the font
	number := binary.BigEndian.Uint32
	var records, tables []byte
	for at := woff[header : header+entry*int(binary.BigEndian.Uint16(woff[12:]))]; len(at) > 0; at = at[entry:] {
		if at[0] == 'G' {
			continue
		}
		offset, packed, length := number(at[4:]), number(at[8:]), number(at[12:])
		table := woff[offset : offset+packed]
		if packed < length {
			r, err := zlib.NewReader(bytes.NewReader(table))
			if err != nil {
				return nil, err
			}
			if table, err = io.ReadAll(r); err != nil {
				return nil, err
			}
		}
		records = append(append(records, at[:4]...), at[16:20]...) // the tag and the checksum
		records = binary.BigEndian.AppendUint32(records, uint32(len(tables)))
		records = binary.BigEndian.AppendUint32(records, length)
		tables = append(tables, table...)
		tables = append(tables, make([]byte, -len(tables)&3)...)
	}
	font := append(append(make([]byte, 0, head+len(records)+len(tables)), woff[4:8]...), 0, byte(len(records)/record), 0, 0, 0, 0, 0, 0)
	for at := records; len(at) > 0; at = at[record:] { // offsets count from the beginning of the font
		binary.BigEndian.PutUint32(at[8:], number(at[8:])+uint32(head+len(records)))
	}
	return append(append(font, records...), tables...), nil
}
