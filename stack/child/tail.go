package child

import (
	"bytes"
	"io"
	"strings"
	"sync"
)

// The limits of the stored output of a child, for error messages.
const (
	tailBytes = 4096
	tailLines = 12
)

// tail passes on what is written to it and keeps its end.
type tail struct {
	mu   sync.Mutex
	log  io.Writer
	last []byte
}

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last = append(t.last, b...)
	if n := len(t.last) - tailBytes; n > 0 {
		t.last = append(t.last[:0], t.last[n:]...)
	}
	if t.log != nil {
		// A log that cannot be written must not kill the child with SIGPIPE.
		_, _ = t.log.Write(b)
	}
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := strings.Split(string(bytes.TrimSpace(t.last)), "\n")
	if n := len(lines) - tailLines; n > 0 {
		lines = lines[n:]
	}
	return strings.Join(lines, "\n")
}
