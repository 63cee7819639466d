package credentials

import (
	"cmp"
	"context"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"strings"
	"time"
	"unicode"

	"golang.org/x/crypto/argon2"
	"golang.org/x/text/unicode/norm"

	"plaza/data"
	"plaza/data/accounts/sessions"
	"plaza/data/pace/deadline"
	"plaza/data/pace/semaphore"
)

// Store keeps the password and the address of a member.
type Store struct {
	data.Base
	Sessions *sessions.Store
	// Salt fills its argument with cryptographic randomness.
	Salt func([]byte)
	// Hashes lets one request hash a password at a time. Sleep waits within a request; nil where requests run in
	// threads of their own.
	Hashes *semaphore.Semaphore
	Sleep  deadline.SleepFunc
	// HashCost is what the hash of a password costs. Zero is SafeHashCost.
	HashCost HashCost
}

// HashCost is what Argon2id spends on one hash, in one lane.
type HashCost struct {
	Memory int // KiB
	Passes int
}

// SafeHashCost is from OWASP's Password Storage Cheat Sheet: the smallest memory it lists, since an isolate has 128 MB in all.
var SafeHashCost = HashCost{Memory: 7 * 1024, Passes: 5}

const (
	argonThreads = 1
	argonKeyLen  = 32
	// SaltLen is the length of a salt in bytes.
	SaltLen = 16
)

// normalize returns the normal form of a password, by the profile OpaqueString of PRECIS (RFC 8265, section 4.2): every space becomes the
// space of ASCII, and letters are composed with their accents (NFC). Characters that the profile forbids stay, such as characters that
// our Unicode tables don't have yet. They don't weaken a password.
func normalize(password string) string {
	return norm.NFC.String(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Zs, r) {
			return ' '
		}
		return r
	}, password))
}

// Hash returns the PHC string of a password, in its normal form, with a random salt of SaltLen bytes (github.com/P-H-C/phc-string-format).
func (c HashCost) Hash(password string, salt []byte) string {
	p := c.argon(salt)
	return p.phc(p.key(normalize(password)))
}

// Check reports whether hash was made from password, at any cost. It does not normalize the password. An unreadable or empty hash takes
// as long as a hash of this cost, so that the time does not reveal which accounts exist.
func (c HashCost) Check(hash, password string) bool {
	p, ok := parseHash(hash)
	if !ok {
		p = c.argon(make([]byte, SaltLen))
	}
	return subtle.ConstantTimeCompare(p.key(password), p.want) == 1 && ok
}

func (c HashCost) argon(salt []byte) argonHash {
	return argonHash{c.Memory, c.Passes, argonThreads, salt, make([]byte, argonKeyLen)}
}

// Limits of the time of a request that hashes.
const (
	hashPatience = 4 * time.Second // how long it waits for requests that came before
	hashPause    = time.Millisecond
	hashTime     = time.Second // of one hash, at most
)

// hashing calls f, which makes one hash. While an instance makes a hash it can do nothing else. So it makes one hash at a time, and
// pauses before each, so that requests that need only the processor can run. Unavailable when too many others wait.
func (s *Store) hashing(ctx context.Context, f func()) error {
	if s.Hashes == nil || s.Sleep == nil {
		f()
		return nil
	}
	release, err := s.Hashes.Acquire(ctx, deadline.RemainingToWrite(ctx, hashPatience), hashTime)
	if err == nil {
		defer release()
		err = s.Sleep(ctx, hashPause)
	}
	if err != nil {
		return &data.Error{Code: data.Unavailable, Message: "Many people are logging in or signing up right now. Please try again in a moment.",
			Err: err}
	}
	f()
	return nil
}

// NewHash returns the hash of a password with a new salt, after the hashes of earlier requests. Unavailable.
func (s *Store) NewHash(ctx context.Context, password string) (hash string, err error) {
	salt := make([]byte, SaltLen)
	s.Salt(salt)
	err = s.hashing(ctx, func() { hash = cmp.Or(s.HashCost, SafeHashCost).Hash(password, salt) })
	return hash, err
}

// CheckPassword reports whether hash belongs to a password, in its normal form or as it was typed. It runs after the hashes of earlier
// requests. Unavailable.
func (s *Store) CheckPassword(ctx context.Context, hash, password string) (right bool, err error) {
	right, _, err = s.checkPassword(ctx, hash, password)
	return right, err
}

// checkPassword is CheckPassword. asTyped reports that hash belongs to the password as it was typed: it was made before passwords were
// normalized.
func (s *Store) checkPassword(ctx context.Context, hash, password string) (right, asTyped bool, err error) {
	cost, normal := cmp.Or(s.HashCost, SafeHashCost), normalize(password)
	err = s.hashing(ctx, func() { right = cost.Check(hash, normal) })
	if err == nil && !right && normal != password {
		err = s.hashing(ctx, func() { right = cost.Check(hash, password) })
		asTyped = right
	}
	return right, asTyped, err
}

// argonHash is a parsed PHC string.
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

// parseHash parses a PHC string.
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
	return argonHash{}, false
}
