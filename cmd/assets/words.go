package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"plaza/locale"
)

// translatable matches a call of t in a script, up to the end of its text in double quotes. The second group is ")" for a call without
// values.
var translatable = regexp.MustCompile(`\bt\(("(?:[^"\\]|\\.)*")(\)?)`)

// inLanguage translates the texts of a script. A call of t without values becomes the text itself, so it costs a page nothing.
func inLanguage(script []byte, l *locale.Language) ([]byte, error) {
	var failed error
	out := translatable.ReplaceAllFunc(script, func(call []byte) []byte {
		parts := translatable.FindSubmatch(call)
		var text string
		if err := json.Unmarshal(parts[1], &text); err != nil {
			failed = fmt.Errorf("%s: %w", call, err)
			return call
		}
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if err := e.Encode(l.Template(locale.Text(text))); err != nil {
			failed = err
			return call
		}
		words := bytes.TrimSpace(b.Bytes())
		if len(parts[2]) > 0 {
			return words
		}
		return append([]byte("t("), words...)
	})
	return out, failed
}

// scriptsIn copies the scripts of the repository, translated, to a new folder. The caller removes the folder.
func scriptsIn(root string, l *locale.Language) (dir string, err error) {
	if dir, err = os.MkdirTemp("", "scripts-"); err != nil {
		return "", err
	}
	web := filepath.Join(root, "web")
	return dir, filepath.WalkDir(web, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		to := filepath.Join(dir, strings.TrimPrefix(path, filepath.Join(root, "")))
		if entry.IsDir() {
			return os.MkdirAll(to, 0o755)
		}
		if filepath.Ext(path) != ".js" {
			return nil
		}
		script, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if script, err = inLanguage(script, l); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		return os.WriteFile(to, script, 0o644)
	})
}
