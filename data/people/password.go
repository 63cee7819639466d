package people

import (
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"strings"

	"golang.org/x/crypto/argon2"
)

// Argon2id's parameters, from OWASP's Password Storage Cheat Sheet (7 MiB, five passes, one lane): the smallest memory it
// lists, since an isolate has 128 MB in all.
const (
	argonMemory  = 7 * 1024 // KiB
	argonTime    = 5
	argonThreads = 1
	argonKeyLen  = 32
	// SaltLen is the length of the salt that HashPassword wants, in bytes.
	SaltLen = 16
)

// HashPassword returns the PHC string of a password with a random salt of SaltLen bytes
// (github.com/P-H-C/phc-string-format).
func HashPassword(password string, salt []byte) string {
	p := argonHash{argonMemory, argonTime, argonThreads, salt, make([]byte, argonKeyLen)}
	return p.phc(p.key(password))
}

// hashLike is HashPassword with the salt and the parameters of hash. ok is false for a hash that can't be read, which
// costs as much time.
func hashLike(hash, password string) (like string, ok bool) {
	p, ok := parseHash(hash)
	return p.phc(p.key(password)), ok
}

// CheckPassword tells whether hash was made of password. A hash that can't be read, the empty one included, costs as much
// time as a wrong password, so that the time taken does not tell which accounts exist.
func CheckPassword(hash, password string) bool {
	p, ok := parseHash(hash)
	return subtle.ConstantTimeCompare(p.key(password), p.want) == 1 && ok
}

// argonHash is a PHC string's parts.
type argonHash struct {
	memory, time, threads int
	salt, want            []byte
}

func (p argonHash) key(password string) []byte {
	return argon2.IDKey([]byte(password), p.salt, uint32(p.time), uint32(p.memory), uint8(p.threads), uint32(len(p.want)))
}

func (p argonHash) phc(key []byte) string {
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, p.memory, p.time, p.threads,
		base64.RawStdEncoding.EncodeToString(p.salt), base64.RawStdEncoding.EncodeToString(key))
}

// parseHash reads a PHC string. If it can't, the parts that it returns cost as much time to hash with.
func parseHash(hash string) (argonHash, bool) {
	var version int
	var p argonHash
	if parts := strings.Split(hash, "$"); len(parts) == 6 && parts[1] == "argon2id" {
		_, errV := fmt.Sscanf(parts[2], "v=%d", &version)
		_, errP := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &p.memory, &p.time, &p.threads)
		var errS, errK error
		p.salt, errS = base64.RawStdEncoding.DecodeString(parts[4])
		p.want, errK = base64.RawStdEncoding.DecodeString(parts[5])
		if errV == nil && errP == nil && errS == nil && errK == nil && version == argon2.Version &&
			p.memory > 0 && p.memory <= 64*1024 && p.time > 0 && p.time <= 16 && p.threads > 0 && p.threads <= 4 && len(p.want) >= 16 {
			return p, true
		}
	}
	return argonHash{argonMemory, argonTime, argonThreads, make([]byte, SaltLen), make([]byte, argonKeyLen)}, false
}
