package ui

import (
	"errors"
	"go/ast"
	"html/template"
	"io"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
	"pgregory.net/rapid"

	"plaza/data/storetest"
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

func TestAMistakeHasTheFocusBeforeEveryWish(t *testing.T) {
	wish, mistake := h.I(AutoFocus()), h.B(autoFocus{mistake: true})
	for want, page := range map[string]g.Group{
		"<i autofocus></i><i></i>":        {wish, wish},
		"<b autofocus></b><b></b><i></i>": {mistake, mistake, wish},
		"<i></i><b autofocus></b><i></i>": {wish, mistake, wish},
	} {
		for range 2 { // the second time with markup that was used
			b, err := Bytes(page)
			require.NoError(t, err)
			assert.Equal(t, want, string(b))
		}
	}
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

// TestNothingBecomesALiteral holds that what is written without an escape stands in the source. Only Markdown's output, and JSON that
// encoding/json has escaped for HTML, are added as they are.
func TestNothingBecomesALiteral(t *testing.T) {
	literals, added := 0, map[string]bool{}
	storetest.GoFiles(t, func(name, _ string, file *ast.File) {
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			to := ""
			switch fun := call.Fun.(type) {
			case *ast.Ident:
				to = fun.Name
			case *ast.SelectorExpr:
				to = fun.Sel.Name
				on, _ := fun.X.(*ast.Ident)
				if to == "Add" && on != nil && on.Name == "m" && strings.HasPrefix(name, "render/") && !strings.HasPrefix(name, "render/ui/") {
					added[name] = true
				}
			}
			if to == "Literal" && strings.HasPrefix(name, "render/") {
				literals++
				assert.IsType(t, &ast.BasicLit{}, call.Args[0], "%s makes a literal of what is not in the source", name)
			}
			return true
		})
	})
	require.Positive(t, literals)
	assert.Equal(t, map[string]bool{"render/post/linked_data.go": true}, added)
}

func drawn(n g.Node) string {
	b, err := Bytes(n)
	if err != nil {
		panic(err)
	}
	return string(b)
}
