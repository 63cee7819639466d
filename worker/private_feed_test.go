package worker_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/test/workertest"
	"plaza/worker/request"
)

func TestPrivateFeed(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	for _, name := range []string{"gophers", "moles"} {
		ann.MustPost("/communities", "name", name)
	}
	ben.MustPost("/subscribe", "community", "gophers", "on", "1")
	ann.MustPost("/submit", "community", "moles", "title", "Elsewhere", "text", "text")
	address := ann.MustPost("/submit", "community", "gophers", "title", "A post", "text", "text")
	removed := ann.MustPost("/submit", "community", "gophers", "title", "Spam", "text", "text")
	ann.MustPost("/c/gophers/mod/decide", "target", workertest.Targets(ann.Page(removed))[0], "decision", "remove", "rule", "Spam")
	ann.MustPost("/submit", "community", "gophers", "title", "A draft", "text", "text", "status", "draft")

	more := ben.Post("/settings/tokens", "name", "Reader", "feed", "1", "read", "1", "days", "365")
	require.Equal(t, http.StatusUnprocessableEntity, more.Code, "an address is no place for a token that may do more")
	require.Contains(t, more.Body.String(), "may do nothing else")
	created := ben.Post("/settings/tokens", "name", "Reader", "feed", "1", "days", "365")
	require.Equal(t, http.StatusOK, created.Code)
	secret := regexp.MustCompile(`<code>https://plaza\.example(/feed/plaza_[a-z2-7]+)</code>`).FindStringSubmatch(created.Body.String())
	require.NotNil(t, secret, created.Body.String())
	reader := s.Visitor() // a feed reader has the address alone
	res := reader.Get(secret[1])
	require.Equal(t, http.StatusOK, res.Code, res.Body.String())
	require.Equal(t, "private, no-store", res.Header().Get("Cache-Control"))
	feed := requireAtom(t, res.Body.Bytes())
	require.Equal(t, "https://plaza.example"+secret[1], feed.one(t, "id"))
	require.Len(t, feed.all("entry"), 1, "of the member's communities, and nothing that is removed or a draft")
	entry := feed.all("entry")[0]
	require.Equal(t, "https://plaza.example"+address, entry.one(t, "id"))
	require.NotEmpty(t, res.Header().Get("ETag"))
	require.Equal(t, res.Header().Get("ETag"), reader.Get(secret[1]).Header().Get("ETag"), "the same as long as it says the same")
	require.Empty(t, res.Header().Values("Set-Cookie"))

	strict := workertest.OpenSite(t, s.Sql, s.Redis, 1)
	busy, elsewhere := *ben, &workertest.Browser{Site: strict, Remote: "198.51.100.30:1", Header: http.Header{}}
	busy.Site = strict
	require.Equal(t, http.StatusOK, elsewhere.Get(secret[1]).Code)
	for busy.Post("/view", "of", "x").Code != http.StatusTooManyRequests {
	}
	require.Equal(t, http.StatusTooManyRequests, elsewhere.Get(secret[1]).Code, "it is part of what the member may read")

	require.Equal(t, "noindex", res.Header().Get("X-Robots-Tag"), "a link to it somewhere does not bring it into search engines")

	token := strings.TrimPrefix(secret[1], "/feed/")
	require.Equal(t, []string{"/feed/{token}", "/feed/{token}", "/new"},
		[]string{request.LoggedPath(secret[1]), request.LoggedPath(secret[1] + "/x"), request.LoggedPath("/new")})
	require.Equal(t, http.StatusForbidden, workertest.Program(s, token).Get("/inbox").Code, "the token allows nothing else")
	require.Equal(t, http.StatusForbidden, workertest.Program(s, token).Post("/vote", "target", "1", "value", "1").Code)
	for name, other := range map[string]string{"a token that may read": ben.NewToken("read"),
		"a forged one": token[:20] + otherLetter(token[20]) + token[21:], "none": "x"} {
		require.Equal(t, http.StatusNotFound, reader.Get("/feed/"+other).Code, name)
	}
	require.Contains(t, ben.Page("/settings/tokens"), "May feed")
	ben.MustPost("/settings/tokens/end", "id", targetsOfTokens(ben.Page("/settings/tokens"))[0])
	require.Equal(t, http.StatusUnauthorized, reader.Get(secret[1]).Code, "an address that was ended")
}

// targetsOfTokens are the ids of the tokens on a page.
func targetsOfTokens(page string) (ids []string) {
	for _, m := range regexp.MustCompile(`name="id" value="([0-9a-z]+)"`).FindAllStringSubmatch(page, -1) {
		ids = append(ids, m[1])
	}
	return ids
}

// otherLetter is a letter of tokens that is not this one.
func otherLetter(b byte) string {
	if b == 'a' {
		return "b"
	}
	return "a"
}

func TestAFeedGetsANewAddress(t *testing.T) {
	s := workertest.MustOpen(t)
	ben, eve := s.Member("ben"), s.Member("eve")
	find := regexp.MustCompile(`<code>https://plaza\.example(/feed/plaza_[a-z2-7]+)</code>`)
	created := find.FindStringSubmatch(ben.Post("/settings/tokens", "name", "Reader", "feed", "1", "days", "30").Body.String())[1]
	ben.NewToken("read")
	id := regexp.MustCompile(`action="/settings/tokens/renew"><input type="hidden" name="id" value="([^"]+)"`).
		FindAllStringSubmatch(ben.Page("/settings/tokens"), -1)
	require.Len(t, id, 1, "of feeds alone")
	require.Equal(t, http.StatusNotFound, eve.Post("/settings/tokens/renew", "id", id[0][1]).Code)
	require.Equal(t, http.StatusOK, s.Visitor().Get(created).Code)
	expires := s.One("SELECT expires_at FROM tokens WHERE scopes = 'feed'")

	res := ben.Post("/settings/tokens/renew", "id", id[0][1])
	require.Equal(t, http.StatusOK, res.Code)
	renewed := find.FindStringSubmatch(res.Body.String())[1]
	require.NotEqual(t, created, renewed)
	require.Equal(t, http.StatusOK, s.Visitor().Get(renewed).Code)
	require.Equal(t, http.StatusUnauthorized, s.Visitor().Get(created).Code)
	require.Contains(t, ben.Page("/settings/tokens"), "Reader")
	require.Equal(t, []any{int64(1), expires}, []any{s.One("SELECT count(*) FROM tokens WHERE scopes = 'feed'"),
		s.One("SELECT expires_at FROM tokens WHERE scopes = 'feed'")})
	require.Equal(t, http.StatusNotFound, ben.Post("/settings/tokens/renew", "id", id[0][1]).Code, "twice")
	other := data.ID(s.One("SELECT id FROM tokens WHERE scopes = 'read'").(int64)).Text()
	require.Equal(t, http.StatusNotFound, ben.Post("/settings/tokens/renew", "id", other).Code, "no feed")
}
