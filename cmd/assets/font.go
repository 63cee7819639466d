package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
)

// fonts are the typeface of titles: Source Serif 4, weight 600, from its npm package, one file for each subset of characters. The files
// are unchanged, because the licence reserves the font's name for unchanged files. Pages preload the first.
var fonts = []struct{ constant, stem, subset string }{
	{"SerifWOFF2", "serif", "latin"},
	{"", "serif-ext", "latin-ext"},
	{"", "serif-vi", "vietnamese"},
}

func collectFonts(root string) (files []asset, err error) {
	for _, f := range fonts {
		name := "source-serif-4-" + f.subset + "-600-normal.woff2"
		body, err := os.ReadFile(filepath.Join(root, "node_modules", "@fontsource", "source-serif-4", "files", name))
		if err != nil {
			return nil, fmt.Errorf("%w (npm ci installs it)", err)
		}
		files = append(files, asset{f.constant, "", f.stem, ".woff2", body})
	}
	return files, nil
}

// nameFonts writes the file names of the fonts in public/_/ into the style sheet.
func nameFonts(css []byte, fonts []asset) ([]byte, error) {
	for _, f := range fonts {
		url := []byte("/_/" + f.stem + f.ext)
		if bytes.Count(css, url) != 1 {
			return nil, fmt.Errorf("the style sheet has to name %s once", url)
		}
		css = bytes.Replace(css, url, []byte("/_/"+f.name()), 1)
	}
	return css, nil
}
