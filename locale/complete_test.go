package locale

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/packages"

	"plaza/test/stacktest"
)

// TestLanguagesAreComplete asks the type checker for every constant of type Text in the module, and looks for the texts of scripts.
// Each language translates each of them, with the same arguments and the right number of forms, and translates nothing else.
func TestLanguagesAreComplete(t *testing.T) {
	places := textsOfGo(t)
	for text, place := range textsOfScripts(t) {
		places[text] = place
	}
	require.Greater(t, len(places), 1500, "texts were found")
	for _, l := range Languages[1:] {
		said := l.texts()
		for text, place := range places {
			local, ok := said[text]
			if !assert.True(t, ok, "%s: %s lacks %q", place, l.Tag, string(text)) {
				continue
			}
			assert.Equal(t, arguments(string(text)), arguments(local), "%s: arguments of %q", l.Tag, local)
			if forms := strings.Count(string(text), "|"); forms > 0 {
				assert.Equal(t, l.Forms, strings.Count(local, "|")+1, "%s: forms of %q", l.Tag, local)
			}
			assert.Equal(t, strings.Trim(string(text), " ") == string(text), strings.Trim(local, " ") == local, "%s: spaces around %q", l.Tag, local)
		}
		for text := range said {
			assert.Contains(t, places, text, "%s says %q, which nothing says", l.Tag, string(text))
		}
	}
}

// TestOneIsSingular: what is said of one is not said with the plural: no "1 pages written". Of a text with forms that is the first form, of
// others the only one, which a number other than one never reaches.
func TestOneIsSingular(t *testing.T) {
	plural := regexp.MustCompile(`\{\}\+? (?:[a-z]+ ){0,2}?([a-z]+s)\b`)
	// Verbs, and words that are not about the number.
	words := []string{"was", "has", "is", "does", "follows", "invites", "reads", "names", "says", "this", "as", "its", "settings", "ms"}
	// What is no number, or one that is never one: limits, ages, and what a script says of one in another text.
	phrases := []string{"{} erased words", "{} times", "{}+ other discussions", "{} and others", "{} posts", "{} without these votes",
		"{} yours", "{} minutes", "{} pictures", "{} years"}
	for _, p := range Languages[1].phrases {
		one, _, _ := strings.Cut(string(p.english), "|")
		for _, found := range plural.FindAllStringSubmatch(one, -1) {
			assert.True(t, slices.Contains(words, found[1]) || slices.Contains(phrases, found[0]), "%q says of one: %q", string(p.english), found[0])
		}
	}
}

// TestNoTextTwice: a language says a text once, so that no translation hides another.
func TestNoTextTwice(t *testing.T) {
	for _, l := range Languages {
		at := map[Text]string{}
		for _, p := range l.phrases {
			before, twice := at[p.english]
			assert.False(t, twice, "%s: %q is %q and %q", l.Tag, string(p.english), before, p.local)
			at[p.english] = p.local
		}
	}
}

var placeholder = regexp.MustCompile(`\{(\d*)\}`)

// arguments are the indexes of the arguments in a template.
func arguments(template string) map[int]bool {
	form, _, _ := strings.Cut(template, "|")
	if _, other, ok := strings.Cut(template, "|"); ok {
		form, _, _ = strings.Cut(other, "|") // the first form may leave the number out: "a second|{} seconds"
	}
	used := map[int]bool{}
	for next, found := range placeholder.FindAllStringSubmatch(form, -1) {
		i, err := strconv.Atoi(found[1])
		if err != nil {
			i = next
		}
		used[i] = true
	}
	return used
}

// textsOfGo are the constants of type Text outside tests, fixtures and this package, each with a place.
func textsOfGo(t *testing.T) map[Text]string {
	// go list looks for the packages, and Go's test cache sees only where this process looks.
	stacktest.Inputs(t, "bench", "cmd", "data", "e2e", "protocol", "ranking", "render", "stack", "test", "tools", "worker", "schema.go", "go.mod")
	files := token.NewFileSet()
	list, err := packages.Load(&packages.Config{Fset: files, Dir: "..", Mode: packages.NeedName | packages.NeedFiles | packages.NeedSyntax |
		packages.NeedTypes | packages.NeedTypesInfo | packages.NeedImports}, "./...")
	require.NoError(t, err)
	texts := map[Text]string{}
	for _, p := range list {
		require.Empty(t, p.Errors, p.PkgPath)
		if p.PkgPath == "plaza/locale" || p.PkgPath == "plaza/test/fixture" {
			continue
		}
		for _, file := range p.Syntax {
			ast.Inspect(file, func(n ast.Node) bool {
				e, ok := n.(ast.Expr)
				if !ok || !isText(p.TypesInfo.TypeOf(e)) {
					return true
				}
				place := files.Position(n.Pos()).String()
				value := p.TypesInfo.Types[e].Value
				if value == nil {
					if p.PkgPath != "plaza/cmd/assets" && p.PkgPath != "plaza/worker/api" { // which read texts of scripts and of any view
						mustNotBeMade(t, p.TypesInfo, e, place)
					}
					return true
				}
				if text := Text(constant.StringVal(value)); text != "" {
					texts[text] = place
				}
				return false
			})
		}
	}
	return texts
}

func isText(t types.Type) bool { return t != nil && t.String() == "plaza/locale.Text" }

// mustNotBeMade fails for a text that the type checker can't know: one that is glued, or made of any string.
func mustNotBeMade(t *testing.T, info *types.Info, e ast.Expr, place string) {
	switch e := e.(type) {
	case *ast.BinaryExpr:
		assert.NotEqual(t, token.ADD, e.Op, "%s: texts are not glued; With has arguments", place)
	case *ast.CallExpr:
		assert.False(t, info.Types[e.Fun].IsType(), "%s: a text is no conversion of a string; Verbatim is what is the same in all languages", place)
	}
}

// Calls that name a text in the scripts of pages, and in those of the edge.
var saidByScripts = map[string]*regexp.Regexp{
	"../web":         regexp.MustCompile(`\bt\(("(?:[^"\\]|\\.)*")`),
	"../worker/edge": regexp.MustCompile(`\btext\(("(?:[^"\\]|\\.)*")\)`),
}

func textsOfScripts(t *testing.T) map[Text]string {
	texts := map[Text]string{}
	for dir, said := range saidByScripts {
		require.NoError(t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || filepath.Ext(path) != ".js" && filepath.Ext(path) != ".mjs" {
				return err
			}
			script, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for _, call := range said.FindAllSubmatch(script, -1) {
				var text string
				if err := json.Unmarshal(call[1], &text); err != nil {
					return fmt.Errorf("%s: %w", path, err)
				}
				texts[Text(text)] = path
			}
			return nil
		}))
	}
	return texts
}
