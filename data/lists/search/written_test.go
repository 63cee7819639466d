package search_test

import (
	"go/ast"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/test/storetest"
)

// indexed are the text columns that the search finds, and the columns with their words.
var indexed = map[string][][2]string{
	"posts": {{"title", "words"}}, "post_texts": {{"text", "words"}}, "comments": {{"body", "words"}}, "users": {{"bio", "words"}},
	"communities": {{"title", "words"}, {"description", "about_words"}},
}

// withoutWords are statements that write such a text and not its words, with the reason.
var withoutWords = map[string]string{
	"copyCommunity": "only the directory's communities are searched", "copyImported": "the same",
	"createProfile": "profiles are found as members",
	"fillPosts":     "ASCII", "fillCommunity": "ASCII", "writeComments": "ASCII",
}

var writes = regexp.MustCompile(`(?s)\b(?:INSERT (?:OR \w+ )?INTO|UPDATE) (posts|post_texts|comments|users|communities)\b(?: AS \w+)?(.*)`)

// TestWhateverWritesTextsWritesTheirWords checks all statements of the sources. A statement that sets a text sets its words.
func TestWhateverWritesTextsWritesTheirWords(t *testing.T) {
	found, used := 0, map[string]bool{}
	check := func(name, text string) {
		for _, statement := range strings.Split(text, ";\n") {
			match := writes.FindStringSubmatch(statement)
			if match == nil {
				continue
			}
			for _, set := range setBy(match[2]) {
				for _, columns := range indexed[match[1]] {
					if !slices.Contains(set, columns[0]) {
						continue
					}
					if found++; !slices.Contains(set, columns[1]) {
						_, ok := withoutWords[name]
						assert.True(t, ok, "%s sets %s.%s and not %s", name, match[1], columns[0], columns[1])
						used[name] = true
					}
				}
			}
		}
	}
	storetest.GoFiles(t, func(file, _ string, parsed *ast.File) {
		if strings.HasPrefix(path.Dir(file), "test/") {
			return
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			for i := range specValues(spec, ok) {
				check(spec.Names[i].Name, textOf(spec.Values[i]))
			}
			return true
		})
	})
	require.Greater(t, found, 25)
	for name, reason := range withoutWords {
		assert.True(t, used[name], "%s: %s", name, reason)
	}
}

func specValues(spec *ast.ValueSpec, ok bool) []ast.Expr {
	if !ok {
		return nil
	}
	return spec.Values
}

var assigned = regexp.MustCompile(`\b(\w+) =`)

// setBy returns the columns that a statement sets, from the text after the table's name: the columns of INSERT, or of SET.
func setBy(rest string) (sets [][]string) {
	if list, ok := strings.CutPrefix(strings.TrimSpace(rest), "("); ok {
		list, _, _ = strings.Cut(list, ")")
		sets = append(sets, regexp.MustCompile(`\w+`).FindAllString(list, -1))
	}
	for _, set := range strings.Split(rest, "SET ")[1:] {
		set, _, _ = strings.Cut(set, "WHERE")
		var columns []string
		for _, match := range assigned.FindAllStringSubmatch(set, -1) {
			columns = append(columns, match[1])
		}
		if strings.Contains(set, allSettings) {
			columns = append(columns, "title", "description")
		}
		sets = append(sets, columns)
	}
	return sets
}

// allSettings stands for the columns of a community's settings.
const allSettings = " title, description "

// textOf returns the text of a sum of literals. For the columns of a community's settings it uses the text columns.
func textOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			text, _ := strconv.Unquote(e.Value) // the parser has accepted it
			return text
		}
	case *ast.BinaryExpr:
		return textOf(e.X) + textOf(e.Y)
	case *ast.Ident:
		if e.Name == "settings" || e.Name == "communityList" {
			return allSettings
		}
	case *ast.CallExpr:
		if f, ok := e.Fun.(*ast.Ident); ok && f.Name == "eachSetting" {
			return allSettings
		}
	}
	return "?"
}
