package webauthn

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/sha256"
)

// The algorithms of COSE (RFC 9053) for passkeys, the preferred one first.
const (
	EdDSA = -8
	ES256 = -7
)

// Labels and values of a COSE_Key (RFC 9052, section 7; RFC 9053, section 7).
const (
	labelKind      = int64(1)
	labelAlgorithm = int64(3)
	labelCurve     = int64(-1)
	labelX         = int64(-2)
	labelY         = int64(-3)

	kindOKP      = int64(1)
	kindEC2      = int64(2)
	curveP256    = int64(1)
	curveEd25519 = int64(6)
)

// publicKey is a key of either kind.
type publicKey struct {
	ecdsa   *ecdsa.PublicKey
	ed25519 ed25519.PublicKey
}

// parseKey parses a COSE_Key. ErrKey, ErrMalformed.
func parseKey(b []byte) (publicKey, error) {
	v, err := decodeAll(b)
	if err != nil {
		return publicKey{}, err
	}
	m, ok := v.(map[any]any)
	if !ok {
		return publicKey{}, ErrMalformed
	}
	x, _ := m[labelX].([]byte)
	y, _ := m[labelY].([]byte)
	switch {
	case m[labelKind] == kindEC2 && m[labelAlgorithm] == int64(ES256) && m[labelCurve] == curveP256 && len(x) == 32 && len(y) == 32:
		point := append(append([]byte{4}, x...), y...) // uncompressed (SEC 1, section 2.3.3)
		key, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), point)
		if err != nil {
			return publicKey{}, ErrKey
		}
		return publicKey{ecdsa: key}, nil
	case m[labelKind] == kindOKP && m[labelAlgorithm] == int64(EdDSA) && m[labelCurve] == curveEd25519 && len(x) == ed25519.PublicKeySize:
		return publicKey{ed25519: x}, nil
	}
	return publicKey{}, ErrKey
}

// verifies reports whether the signature is the key's over the message.
func (k publicKey) verifies(message, signature []byte) bool {
	if k.ecdsa != nil {
		digest := sha256.Sum256(message)
		return ecdsa.VerifyASN1(k.ecdsa, digest[:], signature)
	}
	return ed25519.Verify(k.ed25519, message, signature)
}
