package oidc_test

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"io"
	"math/big"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/worker/oidc"
)

// said is what a provider answers, each as it is sent.
type said struct{ discovery, token, keys, header, claims, user string }

// Do signs the claims with the key and answers what is asked for.
func (s said) response(t *testing.T, secret *rsa.PrivateKey, r *http.Request) string {
	switch r.URL.Path {
	case "/.well-known/openid-configuration":
		return s.discovery
	case "/keys":
		return s.keys
	case "/user":
		return s.user
	case "/token", "/login/oauth/access_token":
		signed := b64([]byte(s.header)) + "." + b64([]byte(s.claims))
		digest := sha256.Sum256([]byte(signed))
		signature, err := rsa.SignPKCS1v15(rand.Reader, secret, crypto.SHA256, digest[:])
		require.NoError(t, err)
		return strings.ReplaceAll(s.token, "TOKEN", signed+"."+b64(signature))
	}
	return "no such page"
}

func b64(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

type web func(*http.Request) string

func (w web) Do(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(w(r)))}, nil
}

// identity is who a provider says somebody is.
func identity(t *testing.T, secret *rsa.PrivateKey, s said, env map[string]string) (oidc.Identity, error) {
	t.Helper()
	list, err := oidc.Configure(func(name string) string { return env[name] })
	require.NoError(t, err)
	p := list[0]
	p.Connect(web(func(r *http.Request) string { return s.response(t, secret, r) }), func() time.Time { return now },
		"https://plaza.example/auth/idp/callback")
	return p.Exchange(t.Context(), "code", "", "n1", "verifier")
}

var now = time.Unix(1_900_000_000, 0)

const (
	issuer    = "https://id.example"
	discovery = `{"issuer":"https://id.example","authorization_endpoint":"https://id.example/auth",` +
		`"token_endpoint":"https://id.example/token","jwks_uri":"https://id.example/keys"}`
	token  = `{"id_token":"TOKEN","access_token":"a"}`
	header = `{"alg":"RS256","kid":"k"}`
	claims = `"iss":"https://id.example","aud":"plaza","nonce":"n1","sub":"alice","email":"alice@id.example","exp":1900000600,` +
		`"iat":1900000000`
)

// at is now and so many seconds.
func at(seconds int64) string { return strconv.FormatInt(now.Unix()+seconds, 10) }

// TestResponsesThatCanBeReadInTwoWays: names count in their exact letters, and no name comes twice, in whatever a provider answers.
func TestResponsesThatCanBeReadInTwoWays(t *testing.T) {
	secret, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	key := `"kty":"RSA","kid":"k","n":"` + b64(secret.N.Bytes()) + `","e":"` + b64(big.NewInt(int64(secret.E)).Bytes()) + `"`
	for about, test := range map[string]struct {
		said said // what is empty is as it should be
		want string
	}{
		"as it should be":             {said{}, "alice"},
		"SUB behind sub":              {said{claims: `{` + claims + `,"SUB":"victim"}`}, "alice"},
		"Sub before sub":              {said{claims: `{"Sub":"victim",` + claims + `}`}, "alice"},
		"sub with a long s":           {said{claims: "{" + claims + ",\"\u017fub\":\"victim\"}"}, "alice"},
		"SUB alone":                   {said{claims: strings.Replace(`{`+claims+`}`, `"sub"`, `"SUB"`, 1)}, ""},
		"sub twice":                   {said{claims: `{` + claims + `,"sub":"victim"}`}, ""},
		"sub twice, once escaped":     {said{claims: `{` + claims + `,"s\u0075b":"victim"}`}, ""},
		"a sub that is no Unicode":    {said{claims: strings.Replace(`{`+claims+`}`, `alice"`, `alice\ud800"`, 1)}, ""},
		"something behind the claims": {said{claims: `{` + claims + `}{"sub":"victim"}`}, ""},
		"ISS for iss": {said{claims: strings.Replace(`{`+claims+`}`, `"iss":"https://id.example"`,
			`"iss":"https://evil.example","ISS":"https://id.example"`, 1)}, ""},
		"AUD for aud": {said{claims: strings.Replace(`{`+claims+`}`, `"aud":"plaza"`, `"aud":"other","AUD":"plaza"`, 1)},
			""},
		"Nonce for nonce": {said{claims: strings.Replace(`{`+claims+`}`, `"nonce":"n1"`, `"nonce":"n2","Nonce":"n1"`, 1)}, ""},
		"EXP for exp":     {said{claims: strings.Replace(`{`+claims+`}`, `"exp"`, `"exp":1,"EXP"`, 1)}, ""},
		"ALG for alg":     {said{header: `{"ALG":"RS256","kid":"k"}`}, ""},
		"alg twice":       {said{header: `{"alg":"none","alg":"RS256","kid":"k"}`}, ""},
		"ISSUER in the discovery": {said{discovery: strings.Replace(discovery, `"issuer"`, `"issuer":"https://evil.example","ISSUER"`,
			1)}, ""},
		"two addresses of keys": {said{discovery: strings.Replace(discovery, `"jwks_uri"`,
			`"jwks_uri":"https://evil.example/keys","jwks_uri"`, 1)}, ""},
		"JWKS_URI beside jwks_uri": {said{discovery: strings.Replace(discovery, `{`, `{"JWKS_URI":"https://evil.example/keys",`, 1)},
			"alice"},
		"two tokens":                        {said{token: `{"id_token":"x","id_token":"TOKEN"}`}, ""},
		"ID_TOKEN for id_token":             {said{token: `{"ID_TOKEN":"TOKEN"}`}, ""},
		"two lists of keys":                 {said{keys: `{"keys":[],"keys":[{` + key + `}]}`}, ""},
		"KEYS for keys":                     {said{keys: `{"KEYS":[{` + key + `}]}`}, ""},
		"Use for use":                       {said{keys: `{"keys":[{` + key + `,"use":"enc","Use":"sig"}]}`}, ""},
		"a key for encryption":              {said{keys: `{"keys":[{` + key + `,"use":"enc"}]}`}, ""},
		"a key that verifies":               {said{keys: `{"keys":[{` + key + `,"use":"sig","key_ops":["verify"]}]}`}, "alice"},
		"a key that signs":                  {said{keys: `{"keys":[{` + key + `,"key_ops":["sign"]}]}`}, ""},
		"a key that wraps others":           {said{keys: `{"keys":[{` + key + `,"use":"sig","key_ops":["wrapKey","encrypt"]}]}`}, ""},
		"a key that does nothing":           {said{keys: `{"keys":[{` + key + `,"key_ops":[]}]}`}, ""},
		"a key that does nothing and a key": {said{keys: `{"keys":[{` + key + `,"key_ops":[]},{` + key + `}]}`}, "alice"},
		"nbf of a minute ago":               {said{claims: `{` + claims + `,"nbf":` + at(-60) + `}`}, "alice"},
		"nbf a little ahead":                {said{claims: `{` + claims + `,"nbf":` + at(59) + `}`}, "alice"},
		"nbf to come":                       {said{claims: `{` + claims + `,"nbf":` + at(61) + `}`}, ""},
		"auth_time a little ahead":          {said{claims: `{` + claims + `,"auth_time":` + at(59) + `}`}, "alice"},
		"auth_time to come":                 {said{claims: `{` + claims + `,"auth_time":` + at(61) + `}`}, ""},
		"iat to come":                       {said{claims: strings.Replace(`{`+claims+`}`, `"iat":1900000000`, `"iat":`+at(61), 1)}, ""},
		"times beyond all clocks":           {said{claims: `{` + claims + `,"nbf":9223372036854775807}`}, ""},
	} {
		t.Run(about, func(t *testing.T) {
			s := test.said
			for _, part := range []struct {
				to *string
				is string
			}{{&s.discovery, discovery}, {&s.token, token}, {&s.keys, `{"keys":[{` + key + `}]}`}, {&s.header, header},
				{&s.claims, `{` + claims + `}`}} {
				if *part.to == "" {
					*part.to = part.is
				}
			}
			who, err := identity(t, secret, s, map[string]string{"AUTH_PROVIDERS": "idp", "AUTH_IDP_ISSUER": issuer, "AUTH_IDP_ID": "plaza"})
			assert.Equal(t, test.want, who.Subject)
			if test.want == "" {
				refusal := oidc.Refusal("")
				assert.True(t, errors.As(err, &refusal), "%v", err)
			} else {
				assert.NoError(t, err)
			}
		})
	}

	for about, test := range map[string]struct{ token, user, want string }{
		"GitHub, as it should be":   {`{"access_token":"a"}`, `{"id":7,"login":"octocat","email":null}`, "7"},
		"GitHub with ID beside id":  {`{"access_token":"a"}`, `{"id":7,"login":"octocat","ID":8}`, "7"},
		"GitHub with two ids":       {`{"access_token":"a"}`, `{"id":7,"login":"octocat","id":8}`, ""},
		"GitHub with ID alone":      {`{"access_token":"a"}`, `{"ID":8,"login":"octocat"}`, ""},
		"GitHub with two tokens":    {`{"access_token":"a","access_token":"b"}`, `{"id":7,"login":"octocat"}`, ""},
		"GitHub with ERROR besides": {`{"access_token":"a","ERROR":"x"}`, `{"id":7,"login":"octocat"}`, "7"},
	} {
		t.Run(about, func(t *testing.T) {
			who, err := identity(t, secret, said{token: test.token, user: test.user}, map[string]string{"AUTH_PROVIDERS": "github",
				"AUTH_GITHUB_ID": "plaza"})
			assert.Equal(t, test.want, who.Subject)
			assert.Equal(t, test.want == "", err != nil, "%v", err)
		})
	}
}

// FuzzClaims: whatever the claims are, they are refused or name exactly one subject.
func FuzzClaims(f *testing.F) {
	secret, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(f, err)
	keys := `{"keys":[{"kty":"RSA","kid":"k","n":"` + b64(secret.N.Bytes()) + `","e":"` + b64(big.NewInt(int64(secret.E)).Bytes()) + `"}]}`
	for _, more := range []string{``, `,"SUB":"victim"`, `,"sub":"victim"`, `,"s\u0075b":"victim"`, `,"x":{"sub":"victim"}`,
		`}{"sub":"victim"`, `,"nbf":1`} {
		f.Add(more)
	}
	f.Fuzz(func(t *testing.T, more string) {
		s := said{discovery: discovery, token: token, keys: keys, header: header, claims: `{` + claims + more + `}`}
		who, err := identity(t, secret, s, map[string]string{"AUTH_PROVIDERS": "idp", "AUTH_IDP_ISSUER": issuer, "AUTH_IDP_ID": "plaza"})
		if err == nil && who.Subject != "alice" {
			t.Fatalf("%q is %q", s.claims, who.Subject)
		}
	})
}
