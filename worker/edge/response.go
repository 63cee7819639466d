package edge

import (
	"bytes"
	"net/http"
	"slices"
	"strings"
)

// response is an http.ResponseWriter that keeps the whole response, so that it
// leaves Go in one piece, and a failure half-way can still become a 500.
type response struct {
	header http.Header
	status int
	lines  string // the header as it was at WriteHeader: alternate lines of names and values
	typed  bool   // the lines have a Content-Type
	body   bytes.Buffer

	release func() // called when the shim has the body
}

func newResponse() *response {
	return &response{header: make(http.Header), release: func() {}}
}

func (w *response) Header() http.Header { return w.header }

func (w *response) WriteHeader(status int) {
	if w.status != 0 || status < 200 { // the platform has no informational responses
		return
	}
	w.status, w.lines, w.typed = status, linesOf(w.header), w.header.Get("Content-Type") != ""
}

func (w *response) Write(p []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.body.Write(p)
}

// Keep is Write for bytes that do not change until release is called. It does not copy a body that is written in one piece.
func (w *response) Keep(p []byte, release func()) {
	w.WriteHeader(http.StatusOK)
	if w.body.Len() > 0 {
		w.body.Write(p)
		release()
		return
	}
	w.body, w.release = *bytes.NewBuffer(slices.Clip(p)), release
}

func (w *response) WriteString(s string) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.body.WriteString(s)
}

// Flush does nothing: there is one write.
func (w *response) Flush() {}

// finish returns what the shim gets: the status, the lines of the header, and the body, nil for a status without one.
func (w *response) finish() (status int, lines string, body []byte) {
	w.WriteHeader(http.StatusOK)
	switch {
	case w.status == http.StatusNoContent, w.status == http.StatusResetContent,
		w.status == http.StatusNotModified, w.status == http.StatusSeeOther:
	default:
		body = w.body.Bytes()
	}
	lines = w.lines
	if len(body) > 0 && !w.typed {
		lines += "Content-Type\n" + http.DetectContentType(body) + "\n"
	}
	return w.status, lines, body
}

// linesOf writes a header as alternate lines of names and values.
func linesOf(header http.Header) string {
	var b strings.Builder
	b.Grow(1 << 10)
	for name, values := range header {
		switch name {
		case "Content-Length", "Transfer-Encoding", "Connection": // set by the platform
			continue
		}
		for _, value := range values {
			b.WriteString(name)
			b.WriteByte('\n')
			b.WriteString(oneLine(value))
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// oneLine returns a value that can't begin another header.
func oneLine(s string) string {
	if strings.IndexByte(s, '\n') < 0 && strings.IndexByte(s, '\r') < 0 && strings.IndexByte(s, 0) < 0 { // a replacer looks at each byte
		return s
	}
	return lineBreaks.Replace(s)
}

var lineBreaks = strings.NewReplacer("\n", " ", "\r", " ", "\x00", "")
