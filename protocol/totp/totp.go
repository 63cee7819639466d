// Package totp makes and checks the codes of authenticator apps: TOTP (RFC 6238) as all apps implement it, with SHA-1, six digits and
// steps of thirty seconds. It has pure functions; its callers make sure that a code is accepted only once.
package totp

import (
	"crypto/hmac"
	"crypto/sha1"
	"crypto/subtle"
	"encoding/base32"
	"encoding/binary"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"
	"unicode"
)

const (
	// Period is how long a step lasts.
	Period = 30 * time.Second
	// Drift is how many steps the clock of an app may be off.
	Drift = 1
	// SecretLen is the length of a secret, in bytes: as long as a SHA-1 (RFC 4226, section 4).
	SecretLen = 20
)

var encoding = base32.StdEncoding.WithPadding(base32.NoPadding)

// Text returns a secret in the form for apps.
func Text(secret []byte) string { return encoding.EncodeToString(secret) }

var errSecret = errors.New("totp: invalid secret")

// Parse parses the result of Text.
func Parse(text string) ([]byte, error) {
	secret, err := encoding.DecodeString(text)
	if err != nil || len(secret) != SecretLen || Text(secret) != text {
		return nil, errSecret
	}
	return secret, nil
}

// Step returns the number of the step that includes a time.
func Step(at time.Time) int64 { return at.Unix() / int64(Period/time.Second) }

// Code returns the code of a step (RFC 4226, section 5.3).
func Code(secret []byte, step int64) string {
	m := hmac.New(sha1.New, secret)
	_ = binary.Write(m, binary.BigEndian, step)
	sum := m.Sum(nil)
	offset := sum[len(sum)-1] & 15
	return fmt.Sprintf("%06d", binary.BigEndian.Uint32(sum[offset:])&0x7fffffff%1000000)
}

// Typed normalizes a typed code: without the spaces that apps show in it, and with ASCII digits.
func Typed(code string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return -1
		case r >= '\uff10' && r <= '\uff19': // full-width, from East Asian keyboards
			return r - '\uff10' + '0'
		}
		return r
	}, code)
}

// Find returns the step to which a code belongs, at most Drift steps from now. ok is false for a wrong code. It takes the same time
// for all codes.
func Find(secret []byte, code string, now time.Time) (step int64, ok bool) {
	for s := Step(now) - Drift; s <= Step(now)+Drift; s++ {
		if subtle.ConstantTimeCompare([]byte(Code(secret, s)), []byte(code)) == 1 {
			step, ok = s, true
		}
	}
	return step, ok
}

// Ends returns the time from which the code of a step is no longer accepted.
func Ends(step int64) time.Time { return time.Unix((step+Drift+1)*int64(Period/time.Second), 0) }

// URL returns the URL for the QR code (github.com/google/google-authenticator/wiki/Key-Uri-Format).
func URL(site, member string, secret []byte) string {
	return "otpauth://totp/" + url.PathEscape(site+":"+member) + "?secret=" + Text(secret) + "&issuer=" + url.QueryEscape(site)
}
