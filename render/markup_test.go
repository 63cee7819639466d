package render

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"html/template"
	"io"
	"math"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
	"pgregory.net/rapid"
)

func write(f func(*markup)) string { return drawn(component(f)) }

func TestTextIsEscapedAsInTemplates(t *testing.T) {
	for c := range 256 {
		s := "a" + string([]byte{byte(c)}) + "b"
		assert.Equal(t, template.HTMLEscapeString(s), write(func(m *markup) { m.text(s) }))
	}
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(rapid.String(), rapid.StringOfN(rapid.RuneFrom([]rune("a<>&'\"\x00ü")), 0, 40, -1)).Draw(t, "s")
		assert.Equal(t, template.HTMLEscapeString(s), write(func(m *markup) { m.text(s) }))
		assert.Equal(t, template.HTMLEscapeString(url.PathEscape(s)), write(func(m *markup) { m.segment(s) }))
	})
}

func TestTimesAreWrittenAsPackageTimeDoes(t *testing.T) {
	zone := time.FixedZone("", -5*60*60)
	rapid.Check(t, func(t *rapid.T) {
		then := time.Unix(rapid.Int64Range(-62_000_000_000, 253_402_300_799).Draw(t, "then"), 0).In(zone)
		want := then.UTC().Format(`2006-01-02T15:04:05Z 2 Jan 2006, 15:04 UTC`)
		assert.Equal(t, want, write(func(m *markup) { m.rfc3339(then).lit(" ").moment(then) }))
	})
	assert.Equal(t, "12026-01-01T00:00:00Z", write(func(m *markup) { m.rfc3339(time.Date(12026, 1, 1, 0, 0, 0, 0, time.UTC)) }))
}

func TestPlainAddressesAreThoseThatParsingLeavesAlone(t *testing.T) {
	for _, s := range []string{"https://go.dev", "http://i.imgur.com/a_b.jpg?x=1&y=2", "https://a.b//c?", "http://A-1.b/~c,d/+"} {
		assert.True(t, plainURL(s), s)
	}
	for _, s := range []string{"", "https://", "https:///x", "http://a_b/", "http://a:80/", "http://a@b/", "http://a?b", "http://a/#", "http://a/%41", "http://a/ü", "http://a/b c", "ftp://a/", "HTTP://a/"} {
		assert.False(t, plainURL(s), s)
	}
	assert.False(t, plainURL("https://a/"+strings.Repeat("a", maxURL)))
	letter := rapid.RuneFrom([]rune(`aZ0.-_~/?=&+,:@%#\<"' ü;`))
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.SampledFrom([]string{"http://", "https://", "http:", "//"}).Draw(t, "scheme") + rapid.StringOfN(letter, 0, 12, -1).Draw(t, "rest")
		if plainURL(s) {
			u, err := url.Parse(s)
			require.NoError(t, err)
			require.NotEmpty(t, u.Host)
			require.Equal(t, s, u.String())
		}
	})
}

func TestCountsHaveTheExactOneBehindThem(t *testing.T) {
	assert.Equal(t, `<a class="cc" href="/p?a&amp;b" title="12,345">12.3k comments</a>`, write(func(m *markup) { m.commentCount("/p?a&b", 12345) }))
	assert.Equal(t, `<a class="cc" href="/p">999 comments</a>`, write(func(m *markup) { m.commentCount("/p", 999) }))
	assert.Equal(t, `<span title="1 member">1 member</span>`, write(func(m *markup) { m.counted(1, "member", "members") }))
	assert.Equal(t, "-9,223,372,036,854,775,808", exact(math.MinInt64))
}

func TestComponentsAndElementsStandInEachOther(t *testing.T) {
	bold := component(func(m *markup) { m.lit(`<b>`).node(nil).node(h.I(h.Class("x"), g.Text("<"))).lit(`</b>`) })
	want := `<p id="1"><b><i class="x">&lt;</i></b></p>`
	assert.Equal(t, want, drawn(h.P(bold, h.ID("1"))))
	var b strings.Builder
	require.NoError(t, h.P(bold, h.ID("1")).Render(&b))
	assert.Equal(t, want, b.String())
}

func TestAnErrorOfANodeIsGivenOnce(t *testing.T) {
	broken := errors.New("broken")
	node := component(func(m *markup) { m.node(h.P(g.NodeFunc(func(io.Writer) error { return broken }))) })
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
