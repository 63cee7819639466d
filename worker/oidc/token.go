package oidc

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"math/big"
	"slices"
	"strings"
	"time"

	"plaza/protocol/strictjson"
)

// profile has a provider's claims about a person (OpenID Connect Core 1.0, section 5.1).
type profile struct {
	Subject  string `json:"sub"`
	Name     string `json:"name"`
	Username string `json:"preferred_username"`
	Email    string `json:"email"`
}

// claims are the claims of an ID token (section 2).
type claims struct {
	profile
	Issuer   string   `json:"iss"`
	Audience audience `json:"aud"`
	Party    string   `json:"azp"`
	Nonce    string   `json:"nonce"`
	Expires  int64    `json:"exp"`
	Issued   int64    `json:"iat"`
	AuthTime int64    `json:"auth_time"`
	Begins   int64    `json:"nbf"`
}

// audience is a string or a list of strings in JSON.
type audience []string

func (a *audience) UnmarshalJSON(b []byte) error {
	var one string
	if json.Unmarshal(b, &one) == nil {
		*a = audience{one}
		return nil
	}
	return json.Unmarshal(b, (*[]string)(a))
}

const (
	// skew is by how much the clocks of site and provider may differ.
	skew = time.Minute
	// subjectMax is the maximum length of a subject (section 2).
	subjectMax = 255
)

// verify checks an ID token (section 3.1.3.7). ErrUnavailable, Refusal.
func (p *Provider) verify(ctx context.Context, m *metadata, token, nonce string) (claims, error) {
	var c claims
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return c, Refusal("it sent no ID token")
	}
	var header struct {
		Algorithm string `json:"alg"`
		Key       string `json:"kid"`
		Critical  []any  `json:"crit"`
	}
	signature, err := base64.RawURLEncoding.DecodeString(parts[2])
	if err != nil || !decodePart(parts[0], &header) || !decodePart(parts[1], &c) || header.Critical != nil {
		return c, Refusal("its ID token can't be read")
	}
	if header.Algorithm != "RS256" && header.Algorithm != "ES256" {
		return c, Refusal("its ID token is signed by " + header.Algorithm)
	}
	signed := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	if err := p.checkSignature(ctx, m.JWKS, header.Algorithm, header.Key, signed[:], signature); err != nil {
		return c, err
	}
	now := p.now()
	switch {
	case c.Issuer != p.Issuer:
		return c, Refusal("its ID token is of the issuer " + c.Issuer)
	case len(c.Audience) != 1 || c.Audience[0] != p.ID, c.Party != "" && c.Party != p.ID:
		return c, Refusal("its ID token is for another site")
	case !now.Add(-skew).Before(time.Unix(c.Expires, 0)):
		return c, Refusal("its ID token has expired")
	case max(c.Issued, c.Begins, c.AuthTime) > now.Add(skew).Unix():
		return c, Refusal("its ID token is of the future")
	case nonce == "" || subtle.ConstantTimeCompare([]byte(c.Nonce), []byte(nonce)) != 1:
		return c, Refusal("its ID token is of another login")
	case c.Subject == "" || len(c.Subject) > subjectMax:
		return c, Refusal("its ID token names nobody")
	}
	return c, nil
}

func decodePart(part string, into any) bool {
	b, err := base64.RawURLEncoding.DecodeString(part)
	return err == nil && strictjson.Unmarshal(b, into) == nil
}

// jwk is a key of RFC 7517.
type jwk struct {
	Kind       string   `json:"kty"`
	ID         string   `json:"kid"`
	Use        string   `json:"use"`
	Operations []string `json:"key_ops"` // nil if the key does not say
	Algorithm  string   `json:"alg"`
	Curve      string   `json:"crv"`
	N          string   `json:"n"`
	E          string   `json:"e"`
	X          string   `json:"x"`
	Y          string   `json:"y"`
}

// verifies reports whether a key is meant for checking signatures of an algorithm (sections 4.2 to 4.4).
func (k jwk) verifies(algorithm string) bool {
	return (k.Use == "" || k.Use == "sig") && (k.Operations == nil || slices.Contains(k.Operations, "verify")) &&
		(k.Algorithm == "" || k.Algorithm == algorithm)
}

type keySet struct {
	Keys []jwk `json:"keys"`
}

// keysAgain is for how long a provider's keys are not fetched again, whatever keys tokens name.
const keysAgain = time.Minute

// checkSignature looks for the key of a signature. If no known key fits, it fetches the keys again, because providers change them.
func (p *Provider) checkSignature(ctx context.Context, address, algorithm, id string, digest, signature []byte) error {
	p.mu.Lock()
	keys, at := p.keys, p.keysAt
	p.mu.Unlock()
	if age := p.now().Sub(at); age < life && keys.signed(algorithm, id, digest, signature) {
		return nil
	} else if age < keysAgain {
		return errSignature
	}
	keys = keySet{}
	if err := p.get(ctx, address, "", &keys); err != nil {
		return err
	}
	p.mu.Lock()
	p.keys, p.keysAt = keys, p.now()
	p.mu.Unlock()
	if !keys.signed(algorithm, id, digest, signature) {
		return errSignature
	}
	return nil
}

const errSignature = Refusal("the signature of its ID token is wrong")

// signed reports whether one of the keys made the signature. A token without the id of a key may be signed by any.
func (s keySet) signed(algorithm, id string, digest, signature []byte) bool {
	for _, k := range s.Keys {
		if id != "" && k.ID != id || !k.verifies(algorithm) {
			continue
		}
		if algorithm == "RS256" && k.rsaSigned(digest, signature) || algorithm == "ES256" && k.ecdsaSigned(digest, signature) {
			return true
		}
	}
	return false
}

func (k jwk) rsaSigned(digest, signature []byte) bool {
	n, errN := base64.RawURLEncoding.DecodeString(k.N)
	e, errE := base64.RawURLEncoding.DecodeString(k.E)
	if k.Kind != "RSA" || errN != nil || errE != nil || len(e) > 4 {
		return false
	}
	key := &rsa.PublicKey{N: new(big.Int).SetBytes(n), E: int(new(big.Int).SetBytes(e).Int64())}
	return key.N.BitLen() >= 2048 && rsa.VerifyPKCS1v15(key, crypto.SHA256, digest, signature) == nil
}

func (k jwk) ecdsaSigned(digest, signature []byte) bool {
	x, errX := base64.RawURLEncoding.DecodeString(k.X)
	y, errY := base64.RawURLEncoding.DecodeString(k.Y)
	if k.Kind != "EC" || k.Curve != "P-256" || errX != nil || errY != nil || len(x) != 32 || len(y) != 32 || len(signature) != 64 {
		return false
	}
	key, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), append(append([]byte{4}, x...), y...))
	return err == nil && ecdsa.Verify(key, digest, new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:]))
}
