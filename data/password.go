package data

import (
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"strings"

	"golang.org/x/crypto/argon2"
)

// Argon2id's parameters, from OWASP's Password Storage Cheat Sheet (7 MiB, five
// passes, one lane): the smallest memory it lists, since an isolate has 128 MB in all.
const (
	argonMemory  = 7 * 1024 // KiB
	argonTime    = 5
	argonThreads = 1
	argonKeyLen  = 32
	// SaltLen is the length of the salt that HashPassword wants, in bytes.
	SaltLen = 16
)

// HashPassword is the PHC string of a password under a random salt of SaltLen bytes
// (github.com/P-H-C/phc-string-format).
func HashPassword(password string, salt []byte) string {
	key := argon2.IDKey([]byte(password), salt, argonTime, argonMemory, argonThreads, argonKeyLen)
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, argonMemory, argonTime, argonThreads,
		base64.RawStdEncoding.EncodeToString(salt), base64.RawStdEncoding.EncodeToString(key))
}

// CheckPassword tells whether hash was made of password. A hash that can't be read,
// the empty one included, costs as much time as a wrong password, so that the time
// taken does not tell which accounts exist.
func CheckPassword(hash, password string) bool {
	var version, memory, time, threads int
	salt, key := make([]byte, SaltLen), make([]byte, argonKeyLen)
	ok := false
	if parts := strings.Split(hash, "$"); len(parts) == 6 && parts[1] == "argon2id" {
		_, errV := fmt.Sscanf(parts[2], "v=%d", &version)
		_, errP := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &memory, &time, &threads)
		s, errS := base64.RawStdEncoding.DecodeString(parts[4])
		k, errK := base64.RawStdEncoding.DecodeString(parts[5])
		ok = errV == nil && errP == nil && errS == nil && errK == nil && version == argon2.Version &&
			memory > 0 && memory <= 64*1024 && time > 0 && time <= 16 && threads > 0 && threads <= 4 && len(k) >= 16
		if ok {
			salt, key = s, k
		}
	}
	if !ok {
		memory, time, threads = argonMemory, argonTime, argonThreads
	}
	got := argon2.IDKey([]byte(password), salt, uint32(time), uint32(memory), uint8(threads), uint32(len(key)))
	return subtle.ConstantTimeCompare(got, key) == 1 && ok
}
