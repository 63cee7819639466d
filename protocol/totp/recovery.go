package totp

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"strings"
)

const (
	// RecoveryCodes is how many recovery codes somebody gets.
	RecoveryCodes = 10
	// RecoveryLen is the number of random bytes in one.
	RecoveryLen = 10
)

// recoveryEncoding is Crockford's base 32, in which no two characters look alike (crockford.com/base32.html).
var recoveryEncoding = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

// RecoveryText is a recovery code of RecoveryLen random bytes, in groups of four characters.
func RecoveryText(random []byte) string {
	s := recoveryEncoding.EncodeToString(random)
	return s[:4] + "-" + s[4:8] + "-" + s[8:12] + "-" + s[12:]
}

var recoverySigns = strings.NewReplacer("-", "", " ", "", "o", "0", "i", "1", "l", "1")

// RecoveryHash is what is stored of a recovery code. The code has 80 random bits, so that a fast hash will do. It is the same however the
// code is typed. owner keeps equal codes of several people apart.
func RecoveryHash(owner, code string) string {
	sum := sha256.Sum256([]byte(owner + " " + recoverySigns.Replace(strings.ToLower(strings.TrimSpace(code)))))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}
