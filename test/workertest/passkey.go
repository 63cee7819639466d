package workertest

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"

	"github.com/stretchr/testify/require"

	"plaza/protocol/webauthn"
	"plaza/test/webauthntest"
)

var PasskeySite = webauthn.Site{ID: "plaza.example", Origin: "https://plaza.example"}

func B64(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// Challenge asks for one, as the page's script does.
func (b *Browser) Challenge(purpose string, more ...string) (challenge string, options map[string]any) {
	b.Helper()
	res := b.WithHeader("Accept", "application/json").Post("/passkeys/challenge", append(more, "for", purpose)...)
	b.Header.Del("Accept")
	require.Equal(b, http.StatusOK, res.Code, res.Body.String())
	require.NoError(b, json.Unmarshal(res.Body.Bytes(), &options))
	return options["challenge"].(string), options
}

// Created are the fields of a form with a new passkey.
func Created(p *webauthntest.Passkey, challenge string, more ...string) []string {
	clientData, attestation := p.Create(challenge)
	return append(more, "challenge", challenge, "client_data", B64(clientData), "attestation", B64(attestation))
}

// Signed are the fields of a form with a passkey's signature.
func Signed(p *webauthntest.Passkey, challenge string) []string {
	clientData, data, signature := p.Get(challenge)
	return []string{"challenge", challenge, "credential", B64(p.ID), "client_data", B64(clientData), "authenticator_data", B64(data),
		"signature", B64(signature)}
}

// SignUpWith makes an account that has a passkey alone.
func (b *Browser) SignUpWith(p *webauthntest.Passkey, name string) *httptest.ResponseRecorder {
	b.Helper()
	challenge, options := b.Challenge("sign-up", "username", name)
	return b.Post("/signup", Created(p, challenge, "username", name, "account", options["account"].(string), "token",
		"a-form-of-"+name+"-0123")...)
}
