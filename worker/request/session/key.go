// Package session encodes and checks the cookies of sessions, and API tokens. It works on texts and knows no request.
//
// The idea: they are signed, so no look-up is needed to trust them. Only the databases know whether one was revoked
// (data/accounts/sessions).
//
// Begin with Key (key.go), which signs everything, then EncodeSession (session.go) and EncodeToken (token.go).
package session

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"strings"
	"time"
)

// Key is the site's secret, at least 32 bytes. It signs cookies and addresses.
type Key []byte

// Sign returns the HMAC-SHA256 of a text.
func (k Key) Sign(text string) []byte {
	m := hmac.New(sha256.New, k)
	_, _ = m.Write([]byte("session\x00" + text))
	return m.Sum(nil)
}

// Signature is Sign, in characters that a cookie may have.
func (k Key) Signature(text string) string { return base64.RawURLEncoding.EncodeToString(k.Sign(text)) }

// Hash returns a keyed hash of a text that must not be stored itself. kind is its purpose.
func (k Key) Hash(kind, text string) string {
	return hex.EncodeToString(k.Sign(kind + "\x00" + text)[:12])
}

// Some values are kept only by the browser between two pages, in a cookie that the site signs. People can read their cookie, but can't
// change it, nor use it for another purpose or later.

// signedValue is the content of such a cookie.
type signedValue[T any] struct {
	Expires int64 `json:"expires"` // in milliseconds since 1970
	Value   T     `json:"value"`
}

// EncodeValue returns the signed text of a value. name is its purpose.
func EncodeValue[T any](k Key, name string, value T, expires time.Time) string {
	b, _ := json.Marshal(signedValue[T]{expires.UnixMilli(), value}) // texts and numbers can always be encoded
	body := base64.RawURLEncoding.EncodeToString(b)
	return body + "." + k.Signature(name+"\x00"+body)
}

// DecodeValue parses what EncodeValue made. ok is false if the signature is wrong. The value may have expired.
func DecodeValue[T any](k Key, name, text string) (value T, expires time.Time, ok bool) {
	body, mac, _ := strings.Cut(text, ".")
	if !hmac.Equal([]byte(mac), []byte(k.Signature(name+"\x00"+body))) {
		return value, expires, false
	}
	b, err := base64.RawURLEncoding.DecodeString(body)
	var s signedValue[T]
	if err != nil || json.Unmarshal(b, &s) != nil {
		return value, expires, false
	}
	return s.Value, time.UnixMilli(s.Expires), true
}
