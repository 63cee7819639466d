package setup

import (
	"io"
	"strings"
	"sync"
)

// masked is a writer that replaces secrets by asterisks. It buffers lines, because a child process may write a secret in two pieces.
type masked struct {
	mu      sync.Mutex
	to      io.Writer
	secrets *secrets
	rest    string
}

// secrets are the texts that must not be in any output.
type secrets struct {
	mu   sync.Mutex
	list []string
}

// add adds a secret. It ignores short texts: they are no secrets, and would match parts of words.
func (s *secrets) add(text string) {
	if len(text) < 8 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = append(s.list, text, "***")
}

func (s *secrets) hide(text string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.NewReplacer(s.list...).Replace(text)
}

func (m *masked) Write(b []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.rest += string(b)
	end := strings.LastIndexByte(m.rest, '\n') + 1
	if end == 0 {
		return len(b), nil
	}
	text := m.secrets.hide(m.rest[:end])
	m.rest = m.rest[end:]
	if _, err := io.WriteString(m.to, text); err != nil {
		return 0, err
	}
	return len(b), nil
}

// flush writes the last line, if it has no line feed.
func (m *masked) flush() {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, _ = io.WriteString(m.to, m.secrets.hide(m.rest))
	m.rest = ""
}
