package ui

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"html/template"
	"io"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
	"pgregory.net/rapid"
)

func write(f func(*Markup)) string { return drawn(Component(f)) }

func TestTextIsEscapedAsInTemplates(t *testing.T) {
	for c := range 256 {
		s := "a" + string([]byte{byte(c)}) + "b"
		assert.Equal(t, template.HTMLEscapeString(s), write(func(m *Markup) { m.Text(s) }))
	}
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(rapid.String(), rapid.StringOfN(rapid.RuneFrom([]rune("a<>&'\"\x00ü")), 0, 40, -1)).Draw(t, "s")
		assert.Equal(t, template.HTMLEscapeString(s), write(func(m *Markup) { m.Text(s) }))
		assert.Equal(t, template.HTMLEscapeString(url.PathEscape(s)), write(func(m *Markup) { m.Segment(s) }))
	})
}

func TestComponentsAndElementsStandInEachOther(t *testing.T) {
	bold := Component(func(m *Markup) { m.Lit(`<b>`).Node(nil).Node(h.I(h.Class("x"), g.Text("<"))).Lit(`</b>`) })
	want := `<p id="1"><b><i class="x">&lt;</i></b></p>`
	assert.Equal(t, want, drawn(h.P(bold, h.ID("1"))))
	var b strings.Builder
	require.NoError(t, h.P(bold, h.ID("1")).Render(&b))
	assert.Equal(t, want, b.String())
}

func TestAnErrorOfANodeIsGivenOnce(t *testing.T) {
	broken := errors.New("broken")
	node := Component(func(m *Markup) { m.Node(h.P(g.NodeFunc(func(io.Writer) error { return broken }))) })
	for range 3 {
		_, err := Bytes(g.Group{g.Text("x"), node})
		require.ErrorIs(t, err, broken)
		require.ErrorIs(t, node.Render(io.Discard), broken)
		b, err := Bytes(g.Text("fine"))
		require.NoError(t, err)
		require.Equal(t, "fine", string(b))
	}
}

func TestPagesDrawnAtOnceKeepApart(t *testing.T) {
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			name := strings.Repeat(string(rune('a'+i)), 1000*(i+1))
			want := drawn(Error(ErrorPage{Heading: name}))
			for range 50 {
				b, err := Bytes(Error(ErrorPage{Heading: name}))
				assert.NoError(t, err)
				assert.Equal(t, want, string(b))
			}
			assert.Contains(t, want, "<h1>"+name+"</h1>")
		})
	}
	all.Wait()
}

// What is written without an escape has to stand in the source.
func TestNothingBecomesALiteral(t *testing.T) {
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	set := token.NewFileSet()
	for _, name := range files {
		file, err := parser.ParseFile(set, name, nil, 0)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if to, ok := call.Fun.(*ast.Ident); ok && to.Name == "literal" {
				assert.IsType(t, &ast.BasicLit{}, call.Args[0], "%s", set.Position(call.Pos()))
			}
			return true
		})
	}
}

func drawn(n g.Node) string {
	b, err := Bytes(n)
	if err != nil {
		panic(err)
	}
	return string(b)
}
