package locale

import (
	"cmp"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/packages"

	"plaza/test/stacktest"
)

// TestLanguagesAreComplete finds every constant of type Text in the module by the type checker, and the texts of scripts. Each file
// translates each of them once, with the same arguments and the right number of forms, and translates nothing else.
func TestLanguagesAreComplete(t *testing.T) {
	places := textsOfGo(t)
	for text, place := range textsOfScripts(t) {
		places[text] = place
	}
	require.Greater(t, len(places), 1500, "texts were found")
	require.Greater(t, len(Languages), 1, "files were found")
	for _, l := range Languages[1:] {
		for _, mistake := range mistakes(l, textOf(l.Tag+".po"), places) {
			t.Error(mistake)
		}
	}
}

// mistakes returns the mistakes in the file of a language, and the texts of places that it lacks.
func mistakes(l *Language, file string, places map[Text]string) (list []string) {
	name := l.Tag + ".po"
	entries, err := read(name, file)
	if err != nil {
		return []string{err.Error()}
	}
	if !strings.Contains(entries[0].said, "charset=UTF-8\n") {
		list = append(list, mistake(name, entries[0].line, "the header lacks charset=UTF-8").Error())
	}
	at := map[Text]int{}
	for _, e := range entries[1:] {
		text := e.text()
		wrong := func(format string, a ...any) {
			list = append(list, mistake(name, e.line, fmt.Sprintf(format, a...)).Error())
		}
		if line, twice := at[text]; twice {
			wrong("%q stands in line %d as well", string(text), line)
		}
		if at[text] = e.line; places[text] == "" {
			wrong("nothing says %q", string(text))
		}
		english, local := cmp.Or(e.plural, e.id), strings.Split(e.said, "|")
		if e.plural != "" && len(local) != l.Forms || e.plural == "" && len(local) != 1 || strings.Contains(e.said, "¦") || !utf8.ValidString(e.said) {
			wrong("%q is not UTF-8, has “¦”, or has another number of forms than %d", e.said, l.Forms)
			continue
		}
		for form, said := range local {
			switch {
			case said == "":
				wrong("%q is not translated", string(text))
			case len(placeholder.FindAllString(said, -1)) > len(arguments(said)):
				wrong("%q has an argument twice in %q, which Language.Around does not fill", string(text), said)
			case (strings.Trim(english, " ") == english) != (strings.Trim(said, " ") == said):
				wrong("spaces around %q", said)
			case !maps.Equal(arguments(said), arguments(english)):
				all := arguments(said)
				maps.Copy(all, arguments(english))
				// The form for one number may omit it: "a second|{} seconds".
				if e.plural == "" || !ofOneNumber(l, form) || !maps.Equal(all, arguments(english)) {
					wrong("the arguments of %q are not those of %q", said, string(text))
				}
			}
		}
	}
	for _, text := range slices.Sorted(maps.Keys(places)) {
		if at[text] == 0 {
			list = append(list, fmt.Sprintf("locale/%s lacks %q of %s", name, string(text), places[text]))
		}
	}
	return list
}

// ofOneNumber reports whether a language has a form for one number alone.
func ofOneNumber(l *Language, form int) bool {
	numbers := 0
	for n := range int64(200) {
		if l.Plural(n) == form {
			numbers++
		}
	}
	return numbers == 1
}

// TestOneIsSingular: a text about one is not in the plural: no "1 pages written". In a text with forms that is the first form; a text
// without forms must never get the number one.
func TestOneIsSingular(t *testing.T) {
	plural := regexp.MustCompile(`\{\}\+? (?:[a-z]+ ){0,2}?([a-z]+s)\b`)
	// Verbs, and words that are not about the number.
	words := []string{"was", "has", "is", "does", "follows", "invites", "reads", "names", "says", "this", "as", "its", "settings", "ms"}
	// Arguments that are no numbers, or never one: limits, ages, and numbers for which a script has another text for one.
	phrases := []string{"{} erased words", "{} times", "{}+ other discussions", "{} and others", "{} posts", "{} without these votes",
		"{} yours", "{} minutes", "{} pictures", "{} years"}
	for text := range german.texts() {
		one, _, _ := strings.Cut(string(text), "|")
		for _, found := range plural.FindAllStringSubmatch(one, -1) {
			assert.True(t, slices.Contains(words, found[1]) || slices.Contains(phrases, found[0]), "%q says of one: %q", string(text), found[0])
		}
	}
}

var placeholder = regexp.MustCompile(`\{(\d*)\}`)

// arguments returns the indexes of the arguments in a form of a template.
func arguments(form string) map[int]bool {
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

// textsOfGo returns the constants of type Text outside tests and fixtures, each with a place.
func textsOfGo(t *testing.T) map[Text]string {
	// go list reads the packages, and Go's test cache sees only what this process reads.
	stacktest.Inputs(t, "bench", "cmd", "data", "e2e", "ops", "protocol", "ranking", "render", "stack", "test", "worker", "schema.go", "go.mod")
	files := token.NewFileSet()
	list, err := packages.Load(&packages.Config{Fset: files, Dir: "..", Mode: packages.NeedName | packages.NeedFiles | packages.NeedSyntax |
		packages.NeedTypes | packages.NeedTypesInfo | packages.NeedImports}, "./...")
	require.NoError(t, err)
	texts := map[Text]string{}
	for _, p := range list {
		require.Empty(t, p.Errors, p.PkgPath)
		if p.PkgPath == "plaza/test/fixture" {
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
					// These use texts of files, of scripts and of any view.
					if !slices.Contains([]string{"plaza/locale", "plaza/cmd/assets", "plaza/worker/api"}, p.PkgPath) {
						mustBeConstant(t, p.TypesInfo, e, place)
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

// mustBeConstant fails for a text that the type checker can't know: one that is concatenated, or converted from any string.
func mustBeConstant(t *testing.T, info *types.Info, e ast.Expr, place string) {
	switch e := e.(type) {
	case *ast.BinaryExpr:
		assert.NotEqual(t, token.ADD, e.Op, "%s: texts are not glued; With has arguments", place)
	case *ast.CallExpr:
		assert.False(t, info.Types[e.Fun].IsType(), "%s: a text is no conversion of a string; Verbatim is what is the same in all languages", place)
	}
}

// Calls with a text in the scripts of pages, and in the scripts of the edge.
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
