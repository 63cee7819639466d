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
	sent   http.Header // the header as it was at WriteHeader
	status int
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
	w.status = status
	w.sent = w.header.Clone()
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

// finish returns what the shim gets: the status, the header as alternate lines of
// names and values, and the body, nil for a status without one.
func (w *response) finish() (status int, lines string, body []byte) {
	w.WriteHeader(http.StatusOK)
	switch {
	case w.status == http.StatusNoContent, w.status == http.StatusResetContent,
		w.status == http.StatusNotModified, w.status == http.StatusSeeOther:
	default:
		body = w.body.Bytes()
	}
	if len(body) > 0 && w.sent.Get("Content-Type") == "" {
		w.sent.Set("Content-Type", http.DetectContentType(body))
	}
	var b strings.Builder
	for name, values := range w.sent {
		switch name {
		case "Content-Length", "Transfer-Encoding", "Connection": // set by the platform
			continue
		}
		for _, value := range values {
			b.WriteString(name)
			b.WriteByte('\n')
			b.WriteString(oneLine.Replace(value))
			b.WriteByte('\n')
		}
	}
	return w.status, b.String(), body
}

// oneLine keeps a value from starting another header.
var oneLine = strings.NewReplacer("\n", " ", "\r", " ", "\x00", "")
