// Command assets makes the static files that carry a hash in their name: it joins web/css/*.css, has esbuild bundle web/app/main.js and the
// scripts of single pages, takes htmx and the fonts, writes them to public/_/, removes the copies of earlier builds and generates
// render/ui/assets.go with their addresses.
// With -icons it draws the icons in public/ instead; with -gallery it also serves every fixture page, for looking at them.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
)

func main() {
	root := flag.String("root", ".", "the repository")
	gallery := flag.String("gallery", "", "serve the fixture pages on this address")
	drawIcons := flag.Bool("icons", false, "draw the icons in public/, and nothing else")
	flag.Parse()
	do := func() error { return run(*root, *gallery) }
	if *drawIcons {
		do = func() error { return writeIcons(*root) }
	}
	if err := do(); err != nil {
		fmt.Fprintln(os.Stderr, "assets:", err)
		os.Exit(1)
	}
}

func run(root, gallery string) error {
	files, err := collect(root)
	if err != nil {
		return err
	}
	if err := write(root, files); err != nil {
		return err
	}
	if gallery != "" {
		return serve(root, gallery, files)
	}
	return nil
}

// asset is a static file of which the name changes with its content.
type asset struct {
	constant string // in package ui; "" for what no page names
	stem     string
	ext      string
	body     []byte
}

func (a asset) name() string {
	sum := sha256.Sum256(a.body)
	return a.stem + "." + hex.EncodeToString(sum[:])[:10] + a.ext
}

// scripts are what pages load: the first by all, each other by the pages that need it.
var scripts = []struct{ constant, stem, source string }{
	{"AppJS", "app", "web/app/main.js"},
	{"AutosaveJS", "autosave", "web/autosave.js"},
	{"PasskeyJS", "passkey", "web/passkey.js"},
	{"PushJS", "push", "web/push.js"},
	{"WrittenJS", "written", "web/written.js"},
}

// bundle joins a script and what it imports in one small file.
func bundle(root, source string) ([]byte, error) {
	cmd := exec.Command(filepath.Join("node_modules", ".bin", "esbuild"), source, "--bundle", "--minify", "--format=iife", "--target=es2022",
		"--legal-comments=none", "--log-level=warning")
	cmd.Dir = root
	var failed bytes.Buffer
	cmd.Stderr = &failed
	js, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("esbuild %s: %w (npm ci installs it)\n%s", source, err, failed.Bytes())
	}
	return js, nil
}

// collect reads the sources.
func collect(root string) ([]asset, error) {
	css, err := stylesheet(filepath.Join(root, "web", "css"))
	if err != nil {
		return nil, err
	}
	htmx, err := os.ReadFile(filepath.Join(root, "node_modules", "htmx.org", "dist", "htmx.min.js"))
	if err != nil {
		return nil, fmt.Errorf("%w (npm ci installs it)", err)
	}
	files, err := collectFonts(root)
	if err != nil {
		return nil, err
	}
	if css, err = nameFonts(css, files); err != nil {
		return nil, err
	}
	files = append(files, asset{"AppCSS", "app", ".css", css}, asset{"HTMXJS", "htmx", ".js", htmx})
	for _, s := range scripts {
		js, err := bundle(root, s.source)
		if err != nil {
			return nil, err
		}
		files = append(files, asset{s.constant, s.stem, ".js", js})
	}
	sort.Slice(files, func(i, j int) bool { return files[i].constant < files[j].constant })
	return files, nil
}

var (
	cssComment = regexp.MustCompile(`(?s)/\*.*?\*/`)
	cssIndent  = regexp.MustCompile(`\s*\n\s*`)
)

// stylesheet joins the parts in the order of their names, without comments and
// indentation.
func stylesheet(dir string) ([]byte, error) {
	parts, err := filepath.Glob(filepath.Join(dir, "*.css"))
	if err != nil {
		return nil, err
	}
	sort.Strings(parts)
	var all bytes.Buffer
	for _, part := range parts {
		b, err := os.ReadFile(part)
		if err != nil {
			return nil, err
		}
		all.Write(b)
	}
	b := cssComment.ReplaceAll(all.Bytes(), nil)
	b = cssIndent.ReplaceAll(b, []byte("\n"))
	return append(bytes.TrimSpace(b), '\n'), nil
}

func write(root string, files []asset) error {
	dir := filepath.Join(root, "public", "_")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	current := map[string]bool{}
	for _, a := range files {
		current[a.name()] = true
		if err := replace(filepath.Join(dir, a.name()), a.body); err != nil {
			return err
		}
	}
	for _, a := range files {
		old, err := filepath.Glob(filepath.Join(dir, a.stem+".*"+a.ext))
		if err != nil {
			return err
		}
		for _, name := range old {
			if !current[filepath.Base(name)] {
				if err := os.Remove(name); err != nil {
					return err
				}
			}
		}
	}
	return replace(filepath.Join(root, "render", "ui", "assets.go"), source(files))
}

// replace writes a file unless it is already so, whole or not at all.
func replace(name string, body []byte) error {
	if old, err := os.ReadFile(name); err == nil && bytes.Equal(old, body) {
		return nil
	}
	if err := os.WriteFile(name+".tmp", body, 0o644); err != nil {
		return err
	}
	return os.Rename(name+".tmp", name)
}

// source is render/ui/assets.go.
func source(files []asset) []byte {
	var b bytes.Buffer
	b.WriteString("// Code generated by cmd/assets. DO NOT EDIT.\n\npackage ui\n\n// Addresses of the static files of this build.\nconst (\n")
	for _, a := range files {
		if a.constant == "" {
			continue
		}
		fmt.Fprintf(&b, "\t%-10s = \"/_/%s\"\n", a.constant, a.name())
	}
	b.WriteString(")\n")
	return b.Bytes()
}
