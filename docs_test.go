package plaza_test

import (
	"go/ast"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

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
