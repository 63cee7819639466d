package main

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

// bar shows the progress of a long task: one line that changes on a terminal, a line every few seconds elsewhere.
type bar struct {
	mu       sync.Mutex
	w        io.Writer
	what     string
	terminal bool
	shown    bool
	last     time.Time
}

func newBar(w io.Writer, what string) *bar {
	return &bar{w: w, what: what, terminal: isTerminal(w), last: time.Now()}
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok || os.Getenv("TERM") == "dumb" {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

const barWidth = 30

func (b *bar) update(done, total int64, note string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	pause := 3 * time.Second
	if b.terminal {
		pause = 50 * time.Millisecond
	}
	if now := time.Now(); now.Sub(b.last) >= pause || b.terminal && done >= total {
		b.last = now
	} else {
		return
	}
	share := 1.0
	if total > 0 {
		share = min(float64(done)/float64(total), 1)
	}
	if !b.terminal {
		fmt.Fprintf(b.w, "%s: %3.0f %%, %s\n", b.what, share*100, note)
		return
	}
	full := int(share*barWidth + 0.5)
	fmt.Fprintf(b.w, "\r\033[K%s [%s%s] %3.0f %% %s", b.what, strings.Repeat("#", full), strings.Repeat(".", barWidth-full), share*100, note)
	b.shown = true
}

// print writes a line above the bar.
func (b *bar) print(line string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.clear()
	fmt.Fprintln(b.w, line)
}

func (b *bar) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.clear()
}

func (b *bar) clear() {
	if b.shown {
		fmt.Fprint(b.w, "\r\033[K")
		b.shown = false
	}
}

// thousands formats n with commas.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
