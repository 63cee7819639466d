package stack

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"os"
	"path/filepath"
)

// tokenFile is the file of the key in the data folder.
const tokenFile = "token-key"

// tokenKey returns the key that signs a database's token. It is made once and stored beside the data, so that tokens stay valid when sqld
// starts again.
func tokenKey(dir string) (ed25519.PrivateKey, error) {
	path := filepath.Join(dir, tokenFile)
	seed, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	if len(seed) != ed25519.SeedSize {
		seed = make([]byte, ed25519.SeedSize)
		_, _ = rand.Read(seed) // never fails, by its documentation
		if err := os.WriteFile(path, seed, 0o600); err != nil {
			return nil, err
		}
	}
	return ed25519.NewKeyFromSeed(seed), nil
}

// signToken makes the JWT (RFC 7519, RFC 8037) that permits to read and write.
func signToken(key ed25519.PrivateKey) string {
	signed := base64url([]byte(`{"alg":"EdDSA","typ":"JWT"}`)) + "." + base64url([]byte(`{"a":"rw"}`))
	return signed + "." + base64url(ed25519.Sign(key, []byte(signed)))
}

// publicKey returns the key for sqld to verify signatures, in its format.
func publicKey(key ed25519.PrivateKey) string { return base64url(key.Public().(ed25519.PublicKey)) }

func base64url(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }
