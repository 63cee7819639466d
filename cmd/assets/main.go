// Command assets creates the static files with a hash in their name: it joins web/css/*.css, bundles web/app/main.js and the scripts of
// single pages with esbuild, and adds htmx and the fonts. It writes them to public/_/, removes the files of earlier builds there, and
// generates render/ui/assets.go with their addresses. With -icons it draws the icons in public/ instead.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"sort"

	"plaza/locale"
)

func main() {
	root := flag.String("root", ".", "the repository")
	drawIcons := flag.Bool("icons", false, "draw the icons in public/, and nothing else")
	flag.Parse()
	do := run
	if *drawIcons {
		do = writeIcons
	}
	if err := do(*root); err != nil {
		fmt.Fprintln(os.Stderr, "assets:", err)
		os.Exit(1)
	}
}

func run(root string) error {
	files, err := collect(root)
	if err != nil {
		return err
	}
	return write(root, files)
}

// asset is a static file. Its name contains a hash of its content.
type asset struct {
	constant string // in package ui; "" if no page names the file
	language string // of a script; "" for other files
	stem     string
	ext      string
	body     []byte
}

func (a asset) name() string {
	sum := sha256.Sum256(a.body)
	return a.stem + "." + hex.EncodeToString(sum[:])[:10] + a.ext
}

// scripts are the scripts that pages load: all pages the first, single pages the others.
var scripts = []struct{ constant, stem, source string }{
	{"AppJS", "app", "web/app/main.js"},
	{"AutosaveJS", "autosave", "web/autosave.js"},
	{"GalleryJS", "gallery", "web/gallery.js"},
	{"OfflineJS", "offline", "web/offline.js"},
	{"PasskeyJS", "passkey", "web/passkey.js"},
	{"PicturesJS", "pictures", "web/pictures.js"},
	{"PortraitJS", "portrait", "web/portrait.js"},
	{"PushJS", "push", "web/push.js"},
	{"QueueJS", "queue", "web/queue.js"},
	{"WrittenJS", "written", "web/written.js"},
}

// sheets are the style sheets of single pages.
var sheets = []struct{ constant, stem, source string }{
	{"AdminCSS", "admin", "web/admin.css"},
	{"EditionCSS", "edition", "web/edition.css"},
	{"PicturesCSS", "pictures", "web/pictures.css"},
}

// bundle joins a script and its imports into one minified file.
func bundle(root, source string) ([]byte, error) {
	return esbuild(root, nil, source, "--bundle", "--minify", "--format=iife", "--target=es2022", "--legal-comments=none")
}

// esbuild runs esbuild with input as its standard input, and returns its output.
func esbuild(root string, input []byte, arguments ...string) ([]byte, error) {
	cmd := exec.Command(filepath.Join("node_modules", ".bin", "esbuild"), append(arguments, "--log-level=warning")...)
	cmd.Dir, cmd.Stdin = root, bytes.NewReader(input)
	var failed bytes.Buffer
	cmd.Stderr = &failed
	output, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("esbuild %s: %w (npm ci installs it)\n%s", arguments[0], err, failed.Bytes())
	}
	return output, nil
}

// collect reads the sources.
func collect(root string) ([]asset, error) {
	css, err := stylesheet(root)
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
	for _, s := range sheets {
		body, err := esbuild(root, nil, s.source, "--minify")
		if err != nil {
			return nil, err
		}
		files = append(files, asset{s.constant, "", s.stem, ".css", body})
	}
	files = append(files, asset{"AppCSS", "", "app", ".css", css}, asset{"HTMXJS", "", "htmx", ".js", htmx})
	for _, l := range locale.Languages {
		translated, err := collectScripts(root, l)
		if err != nil {
			return nil, err
		}
		files = append(files, translated...)
	}
	sort.SliceStable(files, func(i, j int) bool { return files[i].constant < files[j].constant })
	return files, nil
}

// collectScripts bundles the scripts of a language.
func collectScripts(root string, l *locale.Language) (files []asset, err error) {
	dir, err := scriptsIn(root, l)
	defer os.RemoveAll(dir)
	if err != nil {
		return nil, err
	}
	for _, s := range scripts {
		js, err := bundle(root, filepath.Join(dir, s.source))
		if err != nil {
			return nil, err
		}
		files = append(files, asset{s.constant, l.Tag, s.stem + "-" + l.Tag, ".js", js})
	}
	return files, nil
}

// stylesheet joins the parts in the order of their names, and minifies the result.
func stylesheet(root string) ([]byte, error) {
	parts, err := filepath.Glob(filepath.Join(root, "web", "css", "*.css"))
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
	return esbuild(root, all.Bytes(), "--loader=css", "--minify")
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

// replace writes a file atomically, unless it has this content already.
func replace(name string, body []byte) error {
	if old, err := os.ReadFile(name); err == nil && bytes.Equal(old, body) {
		return nil
	}
	if err := os.WriteFile(name+".tmp", body, 0o644); err != nil {
		return err
	}
	return os.Rename(name+".tmp", name)
}

// source returns the text of render/ui/assets.go. A script has an address in each language.
func source(files []asset) []byte {
	var b bytes.Buffer
	b.WriteString("// Code generated by cmd/assets. DO NOT EDIT.\n\npackage ui\n\n// Addresses of the static files of this build.\nconst (\n")
	for _, a := range files {
		if a.constant != "" && a.language == "" {
			fmt.Fprintf(&b, "\t%s = \"/_/%s\"\n", a.constant, a.name())
		}
	}
	b.WriteString(")\n\n// Addresses of the scripts of this build, by the tag of the language.\nvar (\n")
	for _, s := range scripts {
		fmt.Fprintf(&b, "\t%s = Script{", s.constant)
		for _, a := range files {
			if a.constant == s.constant {
				fmt.Fprintf(&b, "%q: %q, ", a.language, "/_/"+a.name())
			}
		}
		b.WriteString("}\n")
	}
	b.WriteString(")\n")
	out, err := format.Source(b.Bytes())
	if err != nil {
		panic(err) // the text above is valid Go
	}
	return out
}
