package ui

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"html/template"
	"io"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
	"pgregory.net/rapid"

	"plaza/locale"
	"plaza/test/storetest"
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
	wish, mistake := h.I(AutoFocus()), h.B(autoFocus{invalid: true})
	for want, page := range map[string]g.Group{
		"<i autofocus></i><i></i>":        {wish, wish},
		"<b autofocus></b><b></b><i></i>": {mistake, mistake, wish},
		"<i></i><b autofocus></b><i></i>": {wish, mistake, wish},
	} {
		for range 2 { // the second time with markup that was used
			b, err := Bytes(locale.English, page)
			require.NoError(t, err)
			assert.Equal(t, want, string(b))
		}
	}
}

func TestJSONEndsNoElement(t *testing.T) {
	assert.Equal(t, `<script>["\u003c/script\u003e\u0026"]</script>`, write(func(m *Markup) {
		m.Lit(`<script>`).JSON([]string{"</script>&"}).Lit(`</script>`)
	}))
	_, err := Bytes(locale.English, Component(func(m *Markup) { m.JSON(func() {}) }))
	require.Error(t, err)
}

func TestAnErrorOfANodeIsGivenOnce(t *testing.T) {
	broken := errors.New("broken")
	node := Component(func(m *Markup) { m.Node(h.P(g.NodeFunc(func(io.Writer) error { return broken }))) })
	for range 3 {
		_, err := Bytes(locale.English, g.Group{g.Text("x"), node})
		require.ErrorIs(t, err, broken)
		require.ErrorIs(t, node.Render(io.Discard), broken)
		b, err := Bytes(locale.English, g.Text("fine"))
		require.NoError(t, err)
		require.Equal(t, "fine", string(b))
	}
}

func TestPagesDrawnAtOnceKeepApart(t *testing.T) {
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			name := strings.Repeat(string(rune('a'+i)), 1000*(i+1))
			want := drawn(Error(ErrorPage{Heading: locale.Verbatim(name)}))
			for range 50 {
				b, err := Bytes(locale.English, Error(ErrorPage{Heading: locale.Verbatim(name)}))
				assert.NoError(t, err)
				assert.Equal(t, want, string(b))
			}
			assert.Contains(t, want, "<h1>"+name+"</h1>")
		})
	}
	all.Wait()
}

func TestRemember(t *testing.T) {
	var in memory[string]
	written := 0
	write := func(m *Markup, key string) {
		written++
		m.Lit(`<b>`).Text(key).Lit(` `).Say("Communities").Lit(`</b>`)
	}
	page := func(l *locale.Language, key string) string {
		b, err := Bytes(l, Component(func(m *Markup) { remember(m.Lit(`<i>`), &in, key, write).Lit(`</i>`) }))
		require.NoError(t, err)
		return string(b)
	}
	german := locale.Find("de")
	require.NotNil(t, german)
	for range 3 {
		assert.Equal(t, "<i><b>a&amp; Communities</b></i>", page(locale.English, "a&"))
		assert.Equal(t, "<i><b>b Communities</b></i>", page(locale.English, "b"))
		assert.Equal(t, "<i><b>b "+german.Say("Communities")+"</b></i>", page(german, "b"))
	}
	assert.Equal(t, 3, written, "once for each key and language")

	long := strings.Repeat("x", memoryMax/10)
	for i := range 25 {
		key := long + string(rune('a'+i))
		assert.Contains(t, page(locale.English, key), key)
		assert.LessOrEqual(t, in.bytes, memoryMax)
		assert.LessOrEqual(t, len(in.html), 10+3)
	}
	assert.Equal(t, "<i><b>b Communities</b></i>", page(locale.English, "b"))
}

// TestNothingBecomesALiteral holds that what is written without an escape stands in the source. Only Markdown's output, and JSON that
// encoding/json has escaped for HTML, are written as they are.
func TestNothingBecomesALiteral(t *testing.T) {
	for name, source := range map[string]string{
		"a conversion":                         "func f(m *ui.Markup, s string) { m.Lit(ui.Literal(s)) }",
		"a conversion of what is put together": "func f(s string) ui.Literal { return ui.Literal(`<p>` + s) }",
		"a type of its own":                    "type html = ui.Literal",
		"a writer":                             "var c = ui.Component(func(w *ui.Markup) { w.Lit(`<p>`).WriteString(s) })",
		"bytes":                                "func f(markup *ui.Markup, s string) { markup.Write([]byte(s)) }",
		"another's writer":                     "func f(m *ui.Markup, s string) { fmt.Fprint(m, s) }",
		"a node as it is":                      "func f(s string) g.Node { return g.Raw(s) }",
		"a node that writes":                   "var n = g.NodeFunc(func(w io.Writer) error { _, err := io.WriteString(w, s); return err })",
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "", "package x\n"+source, parser.SkipObjectResolution)
		require.NoError(t, err)
		found, _ := asTheyAre(file)
		assert.NotEmpty(t, found, name)
	}
	known := map[string]string{
		"render/ui/markup.go": "w.Write(m.b)",                 // what markup has escaped
		"render/ui/form.go":   "io.WriteString(w, autofocus)", // a constant
	}
	literals := 0
	storetest.GoFiles(t, func(name, _ string, file *ast.File) {
		found, harmless := asTheyAre(file)
		literals += harmless
		found = slices.DeleteFunc(found, func(what string) bool {
			if known[name] == what {
				delete(known, name)
				return true
			}
			return strings.HasPrefix(name, "stack/") // for development, and no page of the site
		})
		assert.Empty(t, found, "%s writes what is not in the source as it is", name)
	})
	require.Positive(t, literals)
	require.Empty(t, known)
}

// asTheyAre finds what could write a text of others into a page as it is, and counts conversions of literals.
func asTheyAre(file *ast.File) (found []string, harmless int) {
	written := map[string]bool{} // the names of markup, and of writers in functions that render
	pages := file.Name.Name == "x"
	for _, spec := range file.Imports {
		pages = pages || strings.Contains(spec.Path.Value, "gomponents") || spec.Path.Value == `"plaza/render/ui"`
	}
	if !pages {
		return nil, 0
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if field, ok := n.(*ast.Field); ok {
			if kind := types.ExprString(field.Type); slices.Contains([]string{"*ui.Markup", "*Markup", "io.Writer"}, kind) {
				for _, name := range field.Names {
					written[name.Name] = true
				}
			}
		}
		return true
	})
	ast.Inspect(file, func(n ast.Node) bool {
		if of, ok := n.(*ast.TypeSpec); ok && types.ExprString(of.Type) == "ui.Literal" {
			found = append(found, "type "+of.Name.Name)
		}
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		to, on := "", ""
		switch fun := call.Fun.(type) {
		case *ast.Ident:
			to = fun.Name
		case *ast.SelectorExpr:
			to, on = fun.Sel.Name, rootOf(fun.X)
		}
		constant := false
		if len(call.Args) == 1 {
			_, constant = call.Args[0].(*ast.BasicLit)
		}
		toWriter := slices.ContainsFunc(call.Args, func(e ast.Expr) bool { return written[rootOf(e)] })
		switch {
		case to == "Literal" && constant:
			harmless++
		case to == "Literal", to == "Raw" || to == "Rawf", (to == "Write" || to == "WriteString") && written[on],
			(on == "io" || on == "fmt") && toWriter:
			found = append(found, types.ExprString(call))
		}
		return true
	})
	return found, harmless
}

// rootOf is the variable or package with which a chain of calls begins.
func rootOf(e ast.Expr) string {
	for {
		switch of := e.(type) {
		case *ast.Ident:
			return of.Name
		case *ast.SelectorExpr:
			e = of.X
		case *ast.CallExpr:
			e = of.Fun
		default:
			return ""
		}
	}
}

func drawn(n g.Node) string {
	b, err := Bytes(locale.English, n)
	if err != nil {
		panic(err)
	}
	return string(b)
}
