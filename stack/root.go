// Package stack runs the servers that Plaza needs for development and tests. It starts sqld, Redis and others as child processes on
// loopback ports, waits until they respond and makes sure that none outlives its parent. It does not use Plaza's data. Databases for
// tests are in test/stacktest.
package stack

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Root returns the nearest parent folder whose go.mod names module plaza.
func Root() (string, error) {
	start, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for dir := start; ; {
		if isRoot(filepath.Join(dir, "go.mod")) {
			return dir, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", fmt.Errorf("%s is not inside Plaza's repository", start)
		}
		dir = up
	}
}

func isRoot(gomod string) bool {
	f, err := os.Open(gomod)
	if err != nil {
		return false
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if strings.TrimSpace(lines.Text()) == "module plaza" {
			return true
		}
	}
	return false
}

// ErrNotFound is for a program that is not installed.
var ErrNotFound = errors.New("not installed")
