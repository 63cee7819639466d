package totp

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"strings"
)

const (
	// RecoveryCodes is how many recovery codes a member gets.
	RecoveryCodes = 10
	// RecoveryLen is the number of random bytes in one.
	RecoveryLen = 10
)

// recoveryEncoding is Crockford's base 32, in which no two characters look alike (crockford.com/base32.html).
var recoveryEncoding = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

// RecoveryText formats RecoveryLen random bytes as a recovery code, in groups of four characters.
func RecoveryText(random []byte) string {
	s := recoveryEncoding.EncodeToString(random)
	return s[:4] + "-" + s[4:8] + "-" + s[8:12] + "-" + s[12:]
}

var recoveryReplacer = strings.NewReplacer("-", "", " ", "", "o", "0", "i", "1", "l", "1")

// RecoveryHash returns the hash of a recovery code for storage. The code has 80 random bits, so a fast hash is enough. It is the same
// however the code is typed. owner makes the hashes of equal codes of several people differ.
func RecoveryHash(owner, code string) string {
	sum := sha256.Sum256([]byte(owner + " " + recoveryReplacer.Replace(strings.ToLower(strings.TrimSpace(code)))))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}
