package render

import (
	"strconv"

	g "maragu.dev/gomponents"
	"rsc.io/qr/coding"
)

// quiet is how wide the empty edge of a QR code has to be, in modules (ISO/IEC 18004).
const quiet = 4

// qrCode draws a text of at most 2,331 bytes as a QR code: black on white, whatever the theme, because not all readers know the reverse.
func qrCode(text string) g.Node {
	return component(func(m *markup) {
		code, err := encodeQR(text)
		if err != nil {
			m.err = err
			return
		}
		edge := strconv.Itoa(code.Size + 2*quiet)
		m.lit(`<svg class="qr" role="img" aria-label="QR code" viewBox="0 0 `).text(edge).lit(" ").text(edge)
		m.lit(`"><rect width="100%" height="100%" fill="#fff"></rect><path d="`)
		for y := range code.Size {
			for x := 0; x < code.Size; x++ {
				begin := x
				for x < code.Size && code.Black(x, y) {
					x++
				}
				if x > begin {
					run := strconv.Itoa(x - begin)
					m.lit("M").text(strconv.Itoa(begin + quiet)).lit(" ").text(strconv.Itoa(y + quiet)).lit("h").text(run).lit("v1h-").text(run).lit("z")
				}
			}
		}
		m.lit(`"></path></svg>`)
	})
}

// encodeQR makes the smallest code that can lose 15 % and still be read.
func encodeQR(text string) (*coding.Code, error) {
	said := coding.String(text)
	version := coding.Version(coding.MinVersion)
	for version < coding.MaxVersion && said.Bits(version) > version.DataBytes(coding.M)*8 {
		version++
	}
	plan, err := coding.NewPlan(version, coding.M, 0)
	if err != nil {
		return nil, err
	}
	return plan.Encode(said)
}
