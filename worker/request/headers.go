package request

import "net/http"

// SecureHeaders are on every response of the site. The edge's own responses and static files have them, too: a test
// writes this list into worker/edge/shim/table.mjs and compares it with public/_headers.
var SecureHeaders = [][2]string{
	{"X-Content-Type-Options", "nosniff"},
	{"Referrer-Policy", "strict-origin-when-cross-origin"},
	{"Cross-Origin-Opener-Policy", "same-origin"},
	{"Cross-Origin-Resource-Policy", "same-origin"}, // CrossOrigin is for what other sites may load
	{"Permissions-Policy", "camera=(), geolocation=(), microphone=()"},
	{"Strict-Transport-Security", "max-age=31536000"},
}

// contentPolicy lets a page load what the site itself serves, and nothing inline.
const contentPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
	"connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// CrossOrigin lets pages of other sites load a response.
func CrossOrigin(h http.Header) { h.Set("Cross-Origin-Resource-Policy", "cross-origin") }

// Secure sets the headers of every response.
func Secure(h http.Header) {
	for _, header := range SecureHeaders {
		h.Set(header[0], header[1])
	}
	h.Set("Content-Security-Policy", contentPolicy)
	h.Set("Cache-Control", privateResponse) // Send relaxes it for visitors
}
