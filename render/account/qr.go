package account

import (
	"strconv"

	g "maragu.dev/gomponents"
	"rsc.io/qr/coding"

	"plaza/render/ui"
)

// quiet is the width of the quiet zone around a QR code, in modules (ISO/IEC 18004).
const quiet = 4

// qrCode draws a text of at most 2,331 bytes as a QR code: black on white, whatever the theme, because not all readers know the reverse.
func qrCode(text string) g.Node {
	return ui.Component(func(m *ui.Markup) {
		code, err := encodeQR(text)
		if err != nil {
			m.Err = err
			return
		}
		edge := strconv.Itoa(code.Size + 2*quiet)
		m.Lit(`<svg class="qr" role="img" aria-label="`).Say("QR code").Lit(`" viewBox="0 0 `).Text(edge).Lit(` `).Text(edge)
		m.Lit(`"><rect width="100%" height="100%" fill="#fff"></rect><path d="`)
		for y := range code.Size {
			for x := 0; x < code.Size; x++ {
				begin := x
				for x < code.Size && code.Black(x, y) {
					x++
				}
				if x > begin {
					run := strconv.Itoa(x - begin)
					m.Lit("M").Text(strconv.Itoa(begin + quiet)).Lit(" ").Text(strconv.Itoa(y + quiet)).Lit("h").Text(run).Lit("v1h-").Text(run).Lit("z")
				}
			}
		}
		m.Lit(`"></path></svg>`)
	})
}

// encodeQR makes the smallest code that can lose 15 % and still be read.
func encodeQR(text string) (*coding.Code, error) {
	content := coding.String(text)
	version := coding.Version(coding.MinVersion)
	for version < coding.MaxVersion && content.Bits(version) > version.DataBytes(coding.M)*8 {
		version++
	}
	plan, err := coding.NewPlan(version, coding.M, 0)
	if err != nil {
		return nil, err
	}
	return plan.Encode(content)
}
