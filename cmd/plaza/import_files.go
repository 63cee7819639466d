package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"plaza/ops/exchange"
	"plaza/ops/exchange/importer"
)

// sourcesOf returns the files of paths and, for a folder, the files in it with the names of dumps, sorted by name. It calls skipped for
// everything else in a folder.
func sourcesOf(paths []string, format importer.Format, skipped func(path, why string)) (list []importer.Source, err error) {
	add := func(path string) error {
		s, err := importer.File(path)
		list = append(list, s)
		return err
	}
	for _, path := range paths {
		if info, err := os.Stat(path); err != nil || !info.IsDir() {
			if err := add(path); err != nil {
				return nil, err
			}
			continue
		}
		entries, err := os.ReadDir(path)
		if err != nil {
			return nil, err
		}
		before := len(list)
		for _, e := range entries {
			file := filepath.Join(path, e.Name())
			info, err := os.Stat(file)
			switch {
			case err != nil:
				return nil, err
			case info.IsDir() && e.Name() == exchange.PicturesFolder && format == importer.Neutral:
			case info.IsDir():
				skipped(file, "a folder in a folder is not read")
			case !isDump(e.Name(), format):
				skipped(file, fmt.Sprintf("a file of --format %s is called like %s, perhaps with .gz or .zst behind it", format, endings[format]))
			default:
				if err := add(file); err != nil {
					return nil, err
				}
			}
		}
		if len(list) == before {
			return nil, fmt.Errorf("%s has no file of --format %s", path, format)
		}
	}
	return list, nil
}

// pictureDirs returns the folders named pictures that are beside a file of the import, or inside a folder of it.
func pictureDirs(paths []string) (dirs []string) {
	for _, path := range paths {
		dir := path
		if info, err := os.Stat(path); err == nil && !info.IsDir() {
			dir = filepath.Dir(path)
		}
		dir = filepath.Join(dir, exchange.PicturesFolder)
		if info, err := os.Stat(dir); err == nil && info.IsDir() && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// endings describe the file names of a format's dumps.
var endings = map[importer.Format]string{
	importer.Neutral:   "x.ndjson, x.jsonl or x.json",
	importer.Reddit:    "RS_2012-01, x.ndjson, x.jsonl or x.json",
	importer.RedditCSV: "x.csv",
}

// redditDump matches the names that Pushshift gives to the submissions and comments of a month or day.
var redditDump = regexp.MustCompile(`^R[CS]_[0-9]{4}-[0-9]{2}(-[0-9]{2})?$`)

// isDump reports whether a file in a folder has the name of a dump. A compressed file may have a name without an extension.
func isDump(name string, format importer.Format) bool {
	plain := name
	for _, packed := range []string{".gz", ".zst"} {
		plain = strings.TrimSuffix(plain, packed)
	}
	ending := strings.ToLower(filepath.Ext(plain))
	switch {
	case strings.HasPrefix(name, "."):
		return false
	case ending == "" && plain != name:
		return true
	case format == importer.RedditCSV:
		return ending == ".csv"
	case format == importer.Reddit && redditDump.MatchString(plain):
		return true
	}
	return ending == ".ndjson" || ending == ".jsonl" || ending == ".json"
}
