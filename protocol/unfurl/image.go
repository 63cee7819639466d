package unfurl

import "strings"

// ImageType is the type of a picture of a kind that browsers draw and that cannot carry
// scripts, by its first bytes; "" for everything else, SVG among it. What a server calls it
// does not matter.
// https://mimesniff.spec.whatwg.org/#matching-an-image-type-pattern
func ImageType(picture []byte) string {
	start := string(picture[:min(len(picture), 16)])
	switch {
	case strings.HasPrefix(start, "\x89PNG\r\n\x1a\n"):
		return "image/png"
	case strings.HasPrefix(start, "\xff\xd8\xff"):
		return "image/jpeg"
	case strings.HasPrefix(start, "GIF87a"), strings.HasPrefix(start, "GIF89a"):
		return "image/gif"
	case len(start) >= 15 && start[:4] == "RIFF" && start[8:14] == "WEBPVP":
		return "image/webp"
	case len(start) >= 12 && (start[4:12] == "ftypavif" || start[4:12] == "ftypavis"):
		return "image/avif"
	}
	return ""
}
