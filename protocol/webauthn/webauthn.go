// Package webauthn checks browsers' responses with passkeys: W3C Web Authentication, Level 3, sections 7.1 (registering) and 7.2 (logging
// in). It has pure functions; challenges, accounts and counters belong to its callers.
//
// It checks the type of the request, the challenge, the origin, the site, the presence of a person, and the signature. Passkeys may sign
// with ES256 or EdDSA. The site asks for no attestation and draws no conclusion from one: a passkey proves that the user is the one who
// registered it, not who made the device.
//
// It is pure Go. With crypto/ecdsa and crypto/ed25519 it adds 0.4 MB to the module. CBOR has a strict decoder of its own here, for the
// part that CTAP2 uses, because fxamacker/cbor adds 0.35 MB to the module and 1.3 ms to every start.
package webauthn

import (
	"crypto/sha256"
	"errors"
	"net/url"

	"plaza/protocol/strictjson"
)

// The errors for a refused response of a passkey.
var (
	ErrMalformed  = errors.New("webauthn: the response can't be read")
	ErrType       = errors.New("webauthn: the response is to another type of request")
	ErrChallenge  = errors.New("webauthn: the response is to another challenge")
	ErrOrigin     = errors.New("webauthn: the response was made for another origin")
	ErrSite       = errors.New("webauthn: the response was made for another site")
	ErrPresence   = errors.New("webauthn: the presence of a person was not confirmed")
	ErrKey        = errors.New("webauthn: the key is of an unsupported kind")
	ErrSignature  = errors.New("webauthn: the signature is wrong")
	ErrCredential = errors.New("webauthn: the credential's id is invalid")
)

// Site is the site of passkeys.
type Site struct {
	ID     string // the relying party's: a host name
	Origin string // scheme, host and port
}

// SiteOf returns the site of an address. Browsers make passkeys for host names only, not for IP addresses.
func SiteOf(address string) (Site, error) {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" {
		return Site{}, ErrOrigin
	}
	return Site{ID: u.Hostname(), Origin: u.Scheme + "://" + u.Host}, nil
}

// Credential is the public half of a registered passkey.
type Credential struct {
	ID       []byte
	Key      []byte // COSE_Key (RFC 9052), the argument of Verify
	Count    uint32 // number of signatures; passkeys that are synchronised between devices are always at 0
	Verified bool   // the device has verified the person: by a PIN, a finger, a face
}

// idMax is the longest id of a credential, in bytes.
const idMax = 1023

// Register checks a new passkey: clientDataJSON and attestationObject from navigator.credentials.create(), for a challenge. Its errors
// are those of this package.
func (s Site) Register(challenge string, clientData, attestation []byte) (Credential, error) {
	if err := s.checkClient(clientData, "webauthn.create", challenge); err != nil {
		return Credential{}, err
	}
	top, err := decodeAll(attestation)
	if err != nil {
		return Credential{}, err
	}
	object, ok := top.(map[any]any)
	if !ok {
		return Credential{}, ErrMalformed
	}
	raw, ok := object["authData"].([]byte)
	_, format := object["fmt"].(string)
	_, statement := object["attStmt"].(map[any]any)
	if !ok || !format || !statement {
		return Credential{}, ErrMalformed
	}
	a, err := s.checkAuthenticator(raw)
	if err != nil {
		return Credential{}, err
	}
	if a.key == nil {
		return Credential{}, ErrMalformed
	}
	if _, err := parseKey(a.key); err != nil {
		return Credential{}, err
	}
	return Credential{ID: a.id, Key: a.key, Count: a.count, Verified: a.verified}, nil
}

// Assertion is a signed login.
type Assertion struct {
	Count    uint32
	Verified bool
}

// Verify checks a signature: clientDataJSON, authenticatorData and signature from navigator.credentials.get(), for a challenge, by the
// key of a registered Credential. Its errors are those of this package. The caller checks whether the count is larger than before.
func (s Site) Verify(challenge string, key, clientData, authenticator, signature []byte) (Assertion, error) {
	if err := s.checkClient(clientData, "webauthn.get", challenge); err != nil {
		return Assertion{}, err
	}
	a, err := s.checkAuthenticator(authenticator)
	if err != nil {
		return Assertion{}, err
	}
	public, err := parseKey(key)
	if err != nil {
		return Assertion{}, err
	}
	digest := sha256.Sum256(clientData)
	if !public.verifies(append(append([]byte(nil), authenticator...), digest[:]...), signature) {
		return Assertion{}, ErrSignature
	}
	return Assertion{Count: a.count, Verified: a.verified}, nil
}

// checkClient checks the client data of the browser: the type of the request, its challenge and the origin of the page.
func (s Site) checkClient(clientData []byte, kind, challenge string) error {
	var client struct {
		Type        string `json:"type"`
		Challenge   string `json:"challenge"`
		Origin      string `json:"origin"`
		CrossOrigin bool   `json:"crossOrigin"`
	}
	if strictjson.Unmarshal(clientData, &client) != nil {
		return ErrMalformed
	}
	switch {
	case client.Type != kind:
		return ErrType
	case client.Challenge != challenge || challenge == "":
		return ErrChallenge
	case client.Origin != s.Origin || client.CrossOrigin:
		return ErrOrigin
	}
	return nil
}
