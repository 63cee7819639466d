package unfurl

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"testing"

	"github.com/stretchr/testify/require"
)

// pictures are small pictures of every type: from Go's encoders, and the beginnings of WebP and AVIF files after their specifications.
func pictures(t testing.TB) map[string][]byte {
	picture := image.NewPaletted(image.Rect(0, 0, 300, 200), color.Palette{color.Black, color.White})
	var asPNG, asJPEG, asGIF bytes.Buffer
	require.NoError(t, png.Encode(&asPNG, picture))
	require.NoError(t, jpeg.Encode(&asJPEG, picture, nil))
	require.NoError(t, gif.Encode(&asGIF, picture, nil))
	riff := func(kind string, data ...byte) []byte {
		b := append([]byte("RIFF\x00\x00\x00\x00WEBP"+kind+"\x00\x00\x00\x00"), data...)
		return append(b, make([]byte, 16)...)
	}
	lossless := binary.LittleEndian.AppendUint32([]byte{0x2f}, 299|199<<14)
	avif := func(properties ...[]byte) []byte {
		return append(box("ftyp", []byte("avif\x00\x00\x00\x00mif1")), box("meta", []byte{0, 0, 0, 0}, box("hdlr", make([]byte, 20)),
			box("iprp", box("ipco", properties...), box("ipma", make([]byte, 8))))...)
	}
	return map[string][]byte{
		"PNG": asPNG.Bytes(), "JPEG": asJPEG.Bytes(), "GIF": asGIF.Bytes(),
		"JPEG on its side":      exif(asJPEG.Bytes(), 6),
		"JPEG upside down":      exif(asJPEG.Bytes(), 3),
		"lossy WebP":            riff("VP8 ", 0, 0, 0, 0x9d, 0x01, 0x2a, 300&0xff, 300>>8, 200, 0),
		"lossless WebP":         riff("VP8L", lossless...),
		"extended WebP":         riff("VP8X", 0, 0, 0, 0, 299&0xff, 299>>8, 0, 199, 0, 0),
		"AVIF":                  avif(ispe(300, 200), box("pixi", make([]byte, 4))),
		"AVIF with a thumbnail": avif(ispe(30, 20), ispe(300, 200)),
		"AVIF on its side":      avif(ispe(300, 200), box("irot", []byte{1})),
	}
}

func box(kind string, body ...[]byte) []byte {
	all := bytes.Join(body, nil)
	return append(binary.BigEndian.AppendUint32(nil, uint32(8+len(all))), append([]byte(kind), all...)...)
}

func ispe(w, h uint32) []byte {
	return box("ispe", []byte{0, 0, 0, 0}, binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, w), h))
}

// exif adds an orientation before a JPEG picture.
func exif(picture []byte, orientation byte) []byte {
	tiff := []byte("Exif\x00\x00MM\x00\x2a\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00" + string(orientation) +
		"\x00\x00\x00\x00\x00\x00")
	segment := append(binary.BigEndian.AppendUint16([]byte{0xff, 0xe1}, uint16(2+len(tiff))), tiff...)
	return append(append([]byte{0xff, 0xd8}, segment...), picture[2:]...)
}

func TestImageSize(t *testing.T) {
	for name, picture := range pictures(t) {
		want := [2]int{300, 200}
		if name == "JPEG on its side" || name == "AVIF on its side" {
			want = [2]int{200, 300}
		}
		w, h := ImageSize(picture)
		require.Equal(t, want, [2]int{w, h}, name)
		for n := range min(len(picture), 64) {
			w, h := ImageSize(picture[:n])
			require.Contains(t, [][2]int{{}, want}, [2]int{w, h}, "%s, %d bytes", name, n)
		}
	}
	for _, none := range []string{"", "<svg>", "GIF89a\x00\x00\x00\x00",
		"\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR\xff\xff\xff\xff\xff\xff\xff\xff"} {
		w, h := ImageSize([]byte(none))
		require.Zero(t, w+h, "%q", none)
	}
}

func FuzzImageSize(f *testing.F) {
	for _, picture := range pictures(f) {
		f.Add(picture)
	}
	f.Fuzz(func(t *testing.T, picture []byte) {
		w, h := ImageSize(picture)
		require.Equal(t, w > 0, h > 0)
		require.True(t, w >= 0 && w <= imageSide && h >= 0 && h <= imageSide)
	})
}
