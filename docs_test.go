package plaza_test

import (
	"go/ast"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/data/storetest"
)

var sentenceEnd = regexp.MustCompile(`\.[")]?(\s|$)`)

// Every package says what it is for, and at least one thing that whoever reads or changes it must know.
func TestEveryPackageSaysWhatItIsFor(t *testing.T) {
	comments := map[string][]string{}
	names := map[string]string{}
	storetest.GoFiles(t, func(file, _ string, parsed *ast.File) {
		folder := path.Dir(file)
		if strings.Contains(folder, "/testdata/") {
			return
		}
		names[folder] = parsed.Name.Name
		if parsed.Doc != nil {
			comments[folder] = append(comments[folder], parsed.Doc.Text())
		}
	})
	for folder, name := range names {
		begin := "Package " + name + " "
		if name == "main" {
			begin = "Command " + path.Base(folder) + " "
		}
		if !assert.Len(t, comments[folder], 1, "%s: one file has the comment of the package", folder) {
			continue
		}
		text := comments[folder][0]
		assert.True(t, strings.HasPrefix(text, begin), "%s: its comment begins with %q", folder, begin)
		assert.Greater(t, strings.Count(text, "\n"), 1, "%s: its comment has one line: %s", folder, text)
		assert.Greater(t, len(sentenceEnd.FindAllString(text, -1)), 1, "%s: its comment is one sentence: %s", folder, text)
	}
}

// The map of docs/architecture.md names every folder that has Go, and every text of docs.
func TestTheMapNamesEveryFolder(t *testing.T) {
	text, err := os.ReadFile("docs/architecture.md")
	require.NoError(t, err)
	_, places, _ := strings.Cut(string(text), "## Where things lie")
	_, places, _ = strings.Cut(places, "```\n")
	places, _, _ = strings.Cut(places, "```")
	var entries []string // an entry goes on in lines that are indented
	for line := range strings.Lines(places) {
		if strings.HasPrefix(line, " ") {
			entries[len(entries)-1] += line
		} else {
			entries = append(entries, line)
		}
	}
	folders := map[string]bool{}
	storetest.GoFiles(t, func(file, _ string, _ *ast.File) {
		if folder := path.Dir(file); folder != "." && !strings.Contains(folder, "/testdata/") {
			folders[folder] = true
		}
	})
	for folder := range folders {
		name := regexp.MustCompile(`\b` + path.Base(folder) + `\b`)
		assert.True(t, slices.ContainsFunc(entries, func(entry string) bool {
			for above := path.Dir(folder); above != "."; above = path.Dir(above) {
				if strings.HasPrefix(entry, above+"/") && name.MatchString(entry) {
					return true
				}
			}
			return strings.Contains(entry, folder+"/")
		}), "docs/architecture.md does not name %s", folder)
	}
	texts, err := os.ReadDir("docs")
	require.NoError(t, err)
	for _, file := range texts {
		if name, text := strings.CutSuffix(file.Name(), ".md"); text {
			assert.Regexp(t, `\b`+name+`\b`, entries[len(entries)-1], "the last line of the map lists the texts")
		}
	}
}

// The map of README.md names every folder that one sees first.
func TestTheFirstScreenNamesEveryFolder(t *testing.T) {
	text, err := os.ReadFile("README.md")
	require.NoError(t, err)
	list, err := os.ReadDir(".")
	require.NoError(t, err)
	for _, entry := range list {
		if entry.IsDir() && !strings.HasPrefix(entry.Name(), ".") && entry.Name() != "node_modules" && entry.Name() != "build" {
			assert.Regexp(t, `(?m)^([a-z0-9]+/ )*`+entry.Name()+`/ `, string(text), "the map of README.md does not name it")
		}
	}
}
