package worker_test

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"

	"github.com/stretchr/testify/require"

	"plaza/webauthn"
	"plaza/webauthn/webauthntest"
)

var passkeySite = webauthn.Site{ID: "plaza.example", Origin: "https://plaza.example"}

func b64(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// challenge asks for one, as the page's script does.
func (b *browser) challenge(purpose string, more ...string) (challenge string, options map[string]any) {
	b.Helper()
	res := b.withHeader("Accept", "application/json").post("/passkeys/challenge", append(more, "for", purpose)...)
	b.header.Del("Accept")
	require.Equal(b, http.StatusOK, res.Code, res.Body.String())
	require.NoError(b, json.Unmarshal(res.Body.Bytes(), &options))
	return options["challenge"].(string), options
}

// created are the fields of a form with a new passkey.
func created(p *webauthntest.Passkey, challenge string, more ...string) []string {
	clientData, attestation := p.Create(challenge)
	return append(more, "challenge", challenge, "client_data", b64(clientData), "attestation", b64(attestation))
}

// signed are the fields of a form with a passkey's signature.
func signed(p *webauthntest.Passkey, challenge string) []string {
	clientData, data, signature := p.Get(challenge)
	return []string{"challenge", challenge, "credential", b64(p.ID), "client_data", b64(clientData), "authenticator_data", b64(data), "signature", b64(signature)}
}

// signUpWith makes an account that has a passkey alone.
func (b *browser) signUpWith(p *webauthntest.Passkey, name string) *httptest.ResponseRecorder {
	b.Helper()
	challenge, options := b.challenge("sign-up", "username", name)
	return b.post("/signup", created(p, challenge, "username", name, "account", options["account"].(string), "token", "a-form-of-"+name+"-0123")...)
}
