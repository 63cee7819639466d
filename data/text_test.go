package data_test

import (
	"fmt"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"plaza/data"
	"plaza/data/accounts/signup"
	"plaza/data/content/comments"
	"plaza/data/content/communities"
	"plaza/data/content/posts"
	"plaza/test/storetest"
)

func TestLine(t *testing.T) {
	for name, test := range map[string]struct{ typed, kept string }{
		"spaces of all kinds":          {" a\tb\n c\u00a0\u2003d\u2028e ", "a b c d e"},
		"control characters":           {"a\x00b\x07c\x1b[31md\u0085e\u009bf", "abc[31md ef"},
		"what turns the line around":   {"a \u202egpj.exe\u202c \u2066b\u2069", "a gpj.exe b"},
		"only characters of no width":  {"\u200b\u200c\u200d\u2060\ufeff", ""},
		"only fillers":                 {"\u3164\u115f\u1160\uffa0\u2800", ""},
		"only accents":                 {"\u0301\u0308", ""},
		"only what changes emoji":      {"\ufe0f\U000e0067\U000e007f", ""},
		"a family, which joiners hold": {"👨\u200d👩\u200d👧 ok", "👨\u200d👩\u200d👧 ok"},
		"a flag of tags": {"🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
			"🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"},
		"Persian, which parts words":      {"می\u200cخواهم", "می\u200cخواهم"},
		"Hebrew with a mark of direction": {"שלום\u200e!", "שלום\u200e!"},
		"accents on letters":              {"e\u0301", "e\u0301"},
		"signs alone":                     {"???", "???"},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, test.kept, data.Line(test.typed)) })
	}
	t.Run("is itself when it is kept again", rapid.MakeCheck(func(t *rapid.T) {
		s := rapid.String().Draw(t, "s")
		line, plain := data.Line(s), data.Plain(s)
		require.Equal(t, line, data.Line(line))
		require.Equal(t, plain, data.Plain(plain))
		require.Equal(t, line, data.Line(plain))
		require.True(t, utf8.ValidString(line))
	}))
	t.Run("of several lines keeps them", func(t *testing.T) {
		require.Equal(t, "a\n\tb", data.Plain("\na\n\t\u202eb\u202c\n"))
		require.Empty(t, data.Plain("\n\u200b\n"))
	})
}

func TestReservedNames(t *testing.T) {
	s := storetest.Open(t)
	ann := s.Member("ann")
	for _, name := range []string{"official", "staff", "security", "moderators", "AutoModerator", "Auto_Mod-erator", "m0derat0r", "_admin_",
		"adm1n", "admln",
		"St-aff", "Plaza", "system_", "trust-and-safety", "api", "A-P-I", "settings", "iogin", "t0p", "adrnin"} {
		t.Run("no member is "+name, func(t *testing.T) {
			_, err := s.Signup.SignUp(storetest.Ctx, signup.Form{Username: name, Password: "correct horse"})
			require.Equal(t, data.Conflict, data.ErrorCode(err))
			require.ErrorContains(t, err, "reserved")
		})
	}
	for _, name := range []string{"official", "staff", "moderators", "AutoModerator", "m_o_d", "Adm1ns", "popular", "p0pular", "plaza_",
		"u_bob", "U_Bob", "u__", "api",
		"hot", "settings", "adrnin"} {
		t.Run("no community is "+name, func(t *testing.T) {
			_, err := s.Communities.Create(storetest.Ctx, ann, communities.Create{Name: name})
			require.Equal(t, data.Conflict, data.ErrorCode(err))
		})
	}
	for name, about := range map[string]string{"-_-": "username", "___": "username"} {
		_, err := s.Signup.SignUp(storetest.Ctx, signup.Form{Username: name, Password: "correct horse"})
		require.ErrorContains(t, err, "letters and digits", about)
	}
	_, err := s.Communities.Create(storetest.Ctx, ann, communities.Create{Name: "___"})
	require.ErrorContains(t, err, "letters and digits")
	for _, name := range []string{"modern", "staffan", "security", "help", "ubuntu", "u2_fans"} {
		t.Run("a community may be "+name, func(t *testing.T) { s.Community(ann, name) })
	}
	t.Run("a member may be modesty", func(t *testing.T) { s.Member("modesty") })
}

// Writers and readers use the same limits.
func TestHTMLIsReadUpToWhatMayBeWritten(t *testing.T) {
	ofComments, ofPosts, ofCommunities := storetest.StatementsIn(t, "content/comments"), storetest.StatementsIn(t, "content/posts"),
		storetest.StatementsIn(t, "content/communities")
	require.Contains(t, ofComments["commentByID"], fmt.Sprintf("octet_length(c.body_html) <= %d,", data.CommentHTMLMax))
	require.Contains(t, ofComments["commentByID"], fmt.Sprintf("substr(c.body, 1, %d)", comments.CommentMax))
	require.Contains(t, ofPosts["postBySlug"], fmt.Sprintf("octet_length(t.html) <= %d,", data.PostHTMLMax))
	require.Contains(t, ofPosts["postBySlug"], fmt.Sprintf("substr(t.text, 1, %d)", posts.TextMax))
	require.Contains(t, ofCommunities["communityByName"], fmt.Sprintf("octet_length(c.sidebar_html) <= %d,", data.SidebarHTMLMax))
	require.Contains(t, ofCommunities["communityByName"], fmt.Sprintf("substr(c.sidebar, 1, %d)", communities.SidebarMax))
}

func TestCheckAddress(t *testing.T) {
	for _, address := range []string{"", "https://example.org", "http://example.org:8080/a?b#c", "https://example.org/100%", "https://example.org/%u0430",
		"https://example.org/?q=5%&x=%zz#%", "https://münchen.example/caf\u00e9", "https://spam。example/", "https://i❤.ws/", "https://1.2.3.4/",
		"https://example.org:65535/"} {
		require.NoError(t, data.CheckAddress("link", "link", address), address)
	}
	for address, says := range map[string]string{
		"https://example.org:65536/":            "a port above 65535",
		"https://example.org:99999999999999999": "a port above 65535",
		"https://example.org:port/":             "must be a full web address",
		"v@example.org?subject=x":               "must be a full web address",
		"mailto:v@example.org?subject=x":        "must be a full web address",
		"example.org":                           "must be a full web address",
		"https://ann:secret@example.org/":       "a user name or a password",
		"https://example/":                      "names no site",
		"https://\u00ad.example/":               "names no site",
		"https://evil%2Eexample/":               "must be a full web address",
		"https://evil%.example/":                "names no site",
		"https://1.2.3.256/":                    "names no site",
		"https://a b.example/":                  "has a space",
		"https://example.org/\\a":               "has a space",
	} {
		err := data.CheckAddress("link", "link", address)
		require.Error(t, err, address)
		require.Contains(t, data.Mistakes(err)[0].Message.String(), says, address)
	}
}
