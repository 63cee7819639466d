package unfurl

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestImageType(t *testing.T) {
	for start, want := range map[string]string{
		"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR": "image/png", "\xff\xd8\xff\xe0\x00\x10JFIF": "image/jpeg", "GIF87a": "image/gif",
		"GIF89a...":                    "image/gif",
		"RIFF\x10\x00\x00\x00WEBPVP8 ": "image/webp", "\x00\x00\x00\x1cftypavif\x00": "image/avif", "\x00\x00\x00\x1cftypavis\x00": "image/avif",
		"": "", "\x89PNG": "", "RIFF\x10\x00\x00\x00WAVEfmt ": "", "\x00\x00\x00\x1cftypmp42": "", `<svg xmlns="http://www.w3.org/2000/svg">`: "",
		"<!doctype html>": "", "GIF90a": "",
	} {
		assert.Equal(t, want, ImageType([]byte(start)), "%q", start)
	}
}
