package unfurl

import "strings"

// ImageType returns the type of a picture by its first bytes, if it is a kind that browsers draw and that cannot contain scripts; "" for
// everything else, including SVG. It ignores the server's Content-Type. https://mimesniff.spec.whatwg.org/#matching-an-image-type-pattern
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
