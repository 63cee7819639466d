// Package webauthntest makes passkeys in software, for tests. They can misbehave as no good device does: sign for another site, count
// backwards, leave out required data.
package webauthntest

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"

	"plaza/protocol/webauthn"
)

// Passkey signs like a device. Its fields say what its next answer claims.
type Passkey struct {
	Site      webauthn.Site
	Type      string // of the question; "" is the right one
	Flags     byte
	Count     uint32
	Key       []byte // COSE_Key
	ID        []byte
	Crossed   bool   // the page was in a frame of another site
	Extension []byte // CBOR behind everything else, with the flag for it
	secret    crypto.Signer
}

// Present and verified: what a device with a fingerprint says.
const (
	Present  = 1
	Verified = 4
)

// New makes a passkey of an algorithm: webauthn.ES256 or webauthn.EdDSA.
func New(site webauthn.Site, algorithm int) *Passkey {
	p := &Passkey{Site: site, Flags: Present | Verified, ID: make([]byte, 16)}
	_, _ = rand.Read(p.ID)
	if algorithm == webauthn.EdDSA {
		public, secret, _ := ed25519.GenerateKey(rand.Reader)
		p.secret = secret
		p.Key = append([]byte{0xa4, 1, 1, 3, 0x27, 0x20, 6, 0x21, 0x58, 32}, public...)
		return p
	}
	secret, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err)
	}
	point, err := secret.PublicKey.Bytes()
	if err != nil {
		panic(err)
	}
	p.secret = secret
	p.Key = append([]byte{0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32}, point[1:33]...)
	p.Key = append(append(p.Key, 0x22, 0x58, 32), point[33:]...)
	return p
}

// Create answers navigator.credentials.create().
func (p *Passkey) Create(challenge string) (clientData, attestation []byte) {
	data := p.authenticatorData(true)
	attestation = []byte{0xa3, 0x63, 'f', 'm', 't', 0x64, 'n', 'o', 'n', 'e', 0x67, 'a', 't', 't', 'S', 't', 'm', 't', 0xa0, 0x68, 'a', 'u',
		't', 'h', 'D', 'a', 't', 'a'}
	if n := len(data); n < 256 {
		attestation = append(attestation, 0x58, byte(n))
	} else {
		attestation = binary.BigEndian.AppendUint16(append(attestation, 0x59), uint16(n))
	}
	return p.clientData("webauthn.create", challenge), append(attestation, data...)
}

// Get answers navigator.credentials.get().
func (p *Passkey) Get(challenge string) (clientData, authenticator, signature []byte) {
	clientData, authenticator = p.clientData("webauthn.get", challenge), p.authenticatorData(false)
	return clientData, authenticator, p.sign(append(append([]byte(nil), authenticator...), hash(clientData)...))
}

func (p *Passkey) sign(message []byte) []byte {
	options := crypto.SignerOpts(crypto.Hash(0))
	if _, ok := p.secret.(*ecdsa.PrivateKey); ok {
		message, options = hash(message), crypto.SHA256
	}
	signature, err := p.secret.Sign(rand.Reader, message, options)
	if err != nil {
		panic(err)
	}
	return signature
}

func (p *Passkey) clientData(kind, challenge string) []byte {
	if p.Type != "" {
		kind = p.Type
	}
	b, _ := json.Marshal(map[string]any{"type": kind, "challenge": challenge, "origin": p.Site.Origin, "crossOrigin": p.Crossed})
	return b
}

func (p *Passkey) authenticatorData(create bool) []byte {
	b := hash([]byte(p.Site.ID))
	flags := p.Flags
	if create {
		flags |= 1 << 6
	}
	if p.Extension != nil {
		flags |= 1 << 7
	}
	b = binary.BigEndian.AppendUint32(append(b, flags), p.Count)
	if create {
		b = binary.BigEndian.AppendUint16(append(b, make([]byte, 16)...), uint16(len(p.ID)))
		b = append(append(b, p.ID...), p.Key...)
	}
	return append(b, p.Extension...)
}

func hash(b []byte) []byte {
	sum := sha256.Sum256(b)
	return sum[:]
}
