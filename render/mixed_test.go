package render

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/test/storetest"
)

// TestAFunctionWritesHTMLInOneWay holds that a function consists of gomponents or writes literals, and never does both.
func TestAFunctionWritesHTMLInOneWay(t *testing.T) {
	planted, err := parser.ParseFile(token.NewFileSet(), "", "package x\n"+
		"func f() g.Node { return h.P(ui.Component(func(m *ui.Markup) { m.Lit(`<br>`) })) }", parser.SkipObjectResolution)
	require.NoError(t, err)
	literals, nodes := waysOf(planted.Decls[0])
	require.True(t, literals && nodes)

	withLiterals, withNodes := 0, 0
	storetest.GoFiles(t, func(name, _ string, file *ast.File) {
		if !strings.HasPrefix(name, "render/") || strings.HasSuffix(name, "_test.go") {
			return
		}
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok {
				continue
			}
			literals, nodes := waysOf(f)
			assert.False(t, literals && nodes, "%s: %s has gomponents and literals; move one of them to a function of its own", name, f.Name)
			if literals {
				withLiterals++
			}
			if nodes {
				withNodes++
			}
		}
	})
	require.Greater(t, withLiterals, 50)
	require.Greater(t, withNodes, 100)
}

// waysOf reports whether a declaration calls methods of Markup that write literals, and functions of gomponents that make elements.
func waysOf(decl ast.Decl) (literals, nodes bool) {
	ast.Inspect(decl, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		fun, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		literals = literals || fun.Sel.Name == "Lit" || fun.Sel.Name == "When"
		if on, ok := fun.X.(*ast.Ident); ok {
			nodes = nodes || on.Name == "h" || on.Name == "g" && slices.Contains([]string{"El", "Attr", "Text"}, fun.Sel.Name)
		}
		return true
	})
	return literals, nodes
}
