package votes_test

import (
	"go/ast"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/test/storetest"
)

var writesKarma = regexp.MustCompile(`(?s)\b(?:INSERT (?:OR \w+ )?INTO|UPDATE) author_karma\b.*\b(?:posts|comments)\b`)

// TestWhateverWritesKarmaMarksIt checks all functions of the sources. A function with statements that change karma has as many that mark
// the authors, so that the sums in the directory are copied again.
func TestWhateverWritesKarmaMarksIt(t *testing.T) {
	writes, marks := map[string]bool{}, map[string]bool{} // statements, by their folder and name
	type function struct{ folder, name string }
	uses := map[function][]string{}
	storetest.GoFiles(t, func(file, _ string, parsed *ast.File) {
		folder := file[:strings.LastIndexByte(file, '/')+1]
		for _, d := range parsed.Decls {
			of := function{folder: folder}
			if f, ok := d.(*ast.FuncDecl); ok {
				of.name = file + " " + f.Name.Name
			}
			ast.Inspect(d, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.ValueSpec:
					for i, v := range n.Values {
						text := textOf(v)
						writes[folder+n.Names[i].Name] = writesKarma.MatchString(text)
						marks[folder+n.Names[i].Name] = strings.Contains(text, "INTO karma_changed")
					}
				case *ast.BasicLit:
					assert.False(t, of.name != "" && writesKarma.MatchString(n.Value), "a statement is a named constant: %s", of.name)
				case *ast.Ident:
					if of.name != "" && !slices.Contains(uses[of], folder+n.Name) {
						uses[of] = append(uses[of], folder+n.Name)
					}
				}
				return true
			})
		}
	})
	found := 0
	for of, names := range uses {
		written, marked := 0, 0
		for _, name := range names {
			if writes[name] {
				written++
			}
			if marks[name] {
				marked++
			}
		}
		found += written
		assert.Equal(t, written, marked, "%s writes author_karma %d times, and karma_changed %d times", of.name, written, marked)
	}
	require.Equal(t, 4, found, "two of the delta run, one of a move, one of a repair")
}

// textOf returns the text of a sum of literals.
func textOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		return e.Value
	case *ast.BinaryExpr:
		return textOf(e.X) + textOf(e.Y)
	case *ast.KeyValueExpr:
		return textOf(e.Value)
	case *ast.CompositeLit: // of a table of statements
		text := ""
		for _, element := range e.Elts {
			text += textOf(element) + "\n"
		}
		return text
	}
	return "?"
}
