package webpush

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"time"
)

// Keys are the key pair that identifies a site to push services. A push service accepts a message only if it is signed with the key pair
// that its subscription was created with.
type Keys struct {
	private *ecdsa.PrivateKey
	Public  string // applicationServerKey: a point of P-256 in base64url
}

// NewKeys makes a pair and returns its private key, in base64url.
func NewKeys() (private string, err error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return "", err
	}
	b, err := key.Bytes()
	return encode(b), err
}

// ParseKeys parses the private key of a pair, and computes the public key.
func ParseKeys(private string) (*Keys, error) {
	wrong := errors.New("not a private key of P-256 in base64url")
	b, err := decode(private)
	if err != nil {
		return nil, wrong
	}
	key, err := ecdsa.ParseRawPrivateKey(elliptic.P256(), b)
	if err != nil {
		return nil, wrong
	}
	point, err := key.PublicKey.Bytes()
	if err != nil {
		return nil, err
	}
	return &Keys{key, encode(point)}, nil
}

// tokenLife is how long a token is valid. RFC 8292, section 2, allows at most a day.
const tokenLife = 12 * time.Hour

// Authorization returns the header of that name for a message to a push service. service is the origin of the endpoint, subject the
// address of the site's operator (https: or mailto:).
func (k *Keys) Authorization(service, subject string, now time.Time) (string, error) {
	claims, err := json.Marshal(struct {
		Audience string `json:"aud"`
		Expires  int64  `json:"exp"`
		Subject  string `json:"sub"`
	}{service, now.Add(tokenLife).Unix(), subject})
	if err != nil {
		return "", err
	}
	signed := encode([]byte(`{"typ":"JWT","alg":"ES256"}`)) + "." + encode(claims)
	sum := sha256.Sum256([]byte(signed))
	r, s, err := ecdsa.Sign(rand.Reader, k.private, sum[:])
	if err != nil {
		return "", err
	}
	signature := make([]byte, 64)
	r.FillBytes(signature[:32])
	s.FillBytes(signature[32:])
	return "vapid t=" + signed + "." + encode(signature) + ", k=" + k.Public, nil
}
