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

	"plaza/test/storetest"
)

var (
	glossaryRow = regexp.MustCompile(`(?m)^\| ([^|]+) \| ([^|]+) \| ([^|]*)\|$`)
	quotedWord  = regexp.MustCompile("`([A-Za-z]+)`(\\*?)")
	// namePart is a word of a name in camel case.
	namePart = regexp.MustCompile(`[A-Z]+(?:[^A-Za-z]|$)|[A-Z]?[a-z]+`)
)

// refusedWords are the old words of docs/glossary.md. The third column of its table has them, with a star for those that comments don't have
// either. Names behind the heading "Exceptions" keep one.
func refusedWords(glossary string) (inNames, inComments, kept []string) {
	table, exceptions, _ := strings.Cut(glossary, "\n## Exceptions\n")
	for _, row := range glossaryRow.FindAllStringSubmatch(table, -1) {
		for _, word := range quotedWord.FindAllStringSubmatch(row[3], -1) {
			inNames = append(inNames, word[1])
			if word[2] != "" {
				inComments = append(inComments, word[1])
			}
		}
	}
	exceptions, _, _ = strings.Cut(exceptions, "\n## ")
	for _, word := range quotedWord.FindAllStringSubmatch(exceptions, -1) {
		kept = append(kept, word[1])
	}
	return inNames, inComments, kept
}

// partsOf are the words of a name in camel case, in lower case.
func partsOf(name string) (parts []string) {
	for _, part := range namePart.FindAllString(name, -1) {
		parts = append(parts, strings.ToLower(strings.TrimRight(part, "0123456789_")))
	}
	return parts
}

var (
	scriptComment = regexp.MustCompile(`(?s)/\*.*?\*/|(?m:(?:^|[ \t;{}(,])//[^\n]*$)`)
	sqlComment    = regexp.MustCompile(`(?m)--.*$`)
)

// commentsOf returns the comments of a JavaScript or SQL file. It does not parse: a text in quotes that looks like a comment is one, too.
func commentsOf(file, text string) []string {
	if path.Ext(file) == ".sql" {
		return sqlComment.FindAllString(text, -1)
	}
	return scriptComment.FindAllString(text, -1)
}

func TestCommentsOf(t *testing.T) {
	require.Equal(t, []string{"-- one", "-- two"}, commentsOf("a.sql", "-- one\nSELECT 1; -- two\n"))
	require.Equal(t, []string{"// one", " // two", "/* three\n four */"},
		commentsOf("a.mjs", "// one\nf(\"https://example.org\"); // two\n/* three\n four */ g();\n"))
}

// Names and comments have the words of docs/glossary.md, and none that these have replaced.
func TestGlossary(t *testing.T) {
	require.Equal(t, []string{"find", "toldof"}, partsOf("findToldof"))
	text, err := os.ReadFile("docs/glossary.md")
	require.NoError(t, err)
	inNames, inComments, kept := refusedWords(string(text))
	require.NotEmpty(t, inNames)
	require.NotEmpty(t, inComments)
	used := map[string]bool{}
	comment := regexp.MustCompile(`(?i)\b(` + strings.Join(inComments, "|") + `)\b`)
	storetest.GoFiles(t, func(file, _ string, parsed *ast.File) {
		ast.Inspect(parsed, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			for _, part := range partsOf(id.Name) {
				if !slices.Contains(inNames, part) {
					continue
				}
				if slices.Contains(kept, id.Name) {
					used[id.Name] = true
					continue
				}
				assert.Fail(t, "an old word", "%s: %s: docs/glossary.md has another word for %q", file, id.Name, part)
			}
			return true
		})
		for _, group := range parsed.Comments {
			if word := comment.FindString(group.Text()); word != "" {
				assert.Fail(t, "an old word", "%s: docs/glossary.md has another word for %q in: %s", file, word, group.Text())
			}
		}
	})
	scanned := map[string]int{}
	sources(t, ".js .mjs .sql", func(file, text string) {
		if strings.Contains(file, "testdata/") {
			return
		}
		scanned[path.Ext(file)]++
		for _, line := range commentsOf(file, text) {
			if word := comment.FindString(line); word != "" {
				assert.Fail(t, "an old word", "%s: docs/glossary.md has another word for %q in: %s", file, word, line)
			}
		}
	})
	require.Greater(t, scanned[".js"], 20)
	require.Greater(t, scanned[".mjs"], 50)
	require.GreaterOrEqual(t, scanned[".sql"], 2)
	for _, name := range kept {
		assert.True(t, used[name], "docs/glossary.md: no name %s is left, so it is no exception", name)
	}
}
