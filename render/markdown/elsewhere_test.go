package markdown_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/render/markdown"
)

// TestElsewhere: nothing in a text from another site leads to members, communities or pages of this one.
func TestElsewhere(t *testing.T) {
	const base = "https://there.example"
	members := func(says string) string {
		if name, ok := strings.CutPrefix(strings.TrimPrefix(says, "/"), "u/"); ok {
			return base + "/user/" + name
		}
		return ""
	}
	for _, c := range [][2]string{
		{"nothing of that", "nothing of that"},
		{"ask u/spez about it", "ask [u/spez](https://there.example/user/spez) about it"},
		{"ask /u/spez, please", "ask [/u/spez](https://there.example/user/spez), please"},
		{"/u/a_b_c", `[/u/a\_b\_c](https://there.example/user/a_b_c)`},
		{`u/a\_b said`, `[u/a\_b](https://there.example/user/a_b) said`},
		{"(u/spez)", "([u/spez](https://there.example/user/spez))"},
		{"[u/spez]", "[[u/spez](https://there.example/user/spez)]"},
		{"**u/spez**", "**[u/spez](https://there.example/user/spez)**"},
		{"> /u/spez\n\nand u/kim", "> [/u/spez](https://there.example/user/spez)\n\nand [u/kim](https://there.example/user/kim)"},
		{"/r/golang and r/golang", "/r/golang and r/golang"},
		{"on twitter @golang", `on twitter \@golang`},
		{"c/golang or /c/golang", `c\/golang or \/c/golang`},
		{"mail ann@golang.org", "mail ann@golang.org"},
		{"`u/spez` and `@kim`", "`u/spez` and `@kim`"},
		{"    u/spez [x](/r/go)\n", "    u/spez [x](/r/go)\n"},
		{"```\n@kim [x](/r/go)\n```\n[x](/r/go)", "```\n@kim [x](/r/go)\n```\n[x](https://there.example/r/go)"},
		{"[the FAQ](/r/golang/wiki/faq)", "[the FAQ](https://there.example/r/golang/wiki/faq)"},
		{"[a](/r/go) and [b](/r/golang)", "[a](https://there.example/r/go) and [b](https://there.example/r/golang)"},
		{"[him](/u/spez \"title\")", "[him](https://there.example/u/spez \"title\")"},
		{"[u/spez](/u/spez)", "[u/spez](https://there.example/u/spez)"},
		{"[him](</u/spez>)", "[him](<https://there.example/u/spez>)"},
		{"[him][1]\n\n[1]: /u/spez\n", "[him][1]\n\n[1]: https://there.example/u/spez\n"},
		{"[x]( /r/go ) [y](\n/r/go)", "[x]( https://there.example/r/go ) [y](\nhttps://there.example/r/go)"},
		{"> [x](\n> </r/go> \"t\")", "> [x](\n> <https://there.example/r/go> \"t\")"},
		{"[him][1]\n\n[1]:\n  /u/spez\n", "[him][1]\n\n[1]:\n  https://there.example/u/spez\n"},
		{"[x](&#47;r/go) ![y](\\/r/go)", "[x](https://there.example&#47;r/go) ![y](https://there.example\\/r/go)"},
		{"[x](/) [y](//evil.example/a) [z](/r/a(b))", "[x](https://there.example/) [y](//evil.example/a) [z](https://there.example/r/a(b))"},
		{"[x](https://there.example/u/spez)", "[x](https://there.example/u/spez)"},
		{"https://there.example/u/spez", "https://there.example/u/spez"},
		{"[x](#part)", "[x](#part)"},
	} {
		got := markdown.LinkToSource(c[0], base, members)
		require.Equal(t, c[1], got, "%q", c[0])
		html, err := markdown.Render(got, 1<<16)
		require.NoError(t, err)
		require.NotContains(t, string(html), `href="/`, "%q", c[0])
		require.Equal(t, got, markdown.LinkToSource(got, base, members), "it is the same once more")
	}
	require.Equal(t, "[x](/r/go)", markdown.LinkToSource("[x](/r/go)", "", members), "where nobody knows the address of the site")
}
