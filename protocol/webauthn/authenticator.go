package webauthn

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/binary"
)

// The flags of authenticator data (section 6.1).
const (
	flagPresent    = 1 << 0
	flagVerified   = 1 << 2
	flagEligible   = 1 << 3 // for backup
	flagBackedUp   = 1 << 4
	flagCredential = 1 << 6
	flagExtensions = 1 << 7
)

// authenticator is parsed authenticator data. id and key are nil except when a passkey is registered.
type authenticator struct {
	verified bool
	count    uint32
	id, key  []byte
}

// checkAuthenticator parses authenticator data and checks the site and the presence of a person. Bytes after it are an error.
func (s Site) checkAuthenticator(b []byte) (authenticator, error) {
	const head = sha256.Size + 1 + 4
	if len(b) < head {
		return authenticator{}, ErrMalformed
	}
	site := sha256.Sum256([]byte(s.ID))
	if subtle.ConstantTimeCompare(b[:sha256.Size], site[:]) != 1 {
		return authenticator{}, ErrSite
	}
	flags := b[sha256.Size]
	if flags&flagPresent == 0 {
		return authenticator{}, ErrPresence
	}
	if flags&flagBackedUp != 0 && flags&flagEligible == 0 {
		return authenticator{}, ErrMalformed
	}
	a := authenticator{verified: flags&flagVerified != 0, count: binary.BigEndian.Uint32(b[sha256.Size+1:])}
	rest := b[head:]
	if flags&flagCredential != 0 {
		const aaguid = 16
		if len(rest) < aaguid+2 {
			return authenticator{}, ErrMalformed
		}
		n := int(binary.BigEndian.Uint16(rest[aaguid:]))
		rest = rest[aaguid+2:]
		if n == 0 || n > idMax || n > len(rest) {
			return authenticator{}, ErrCredential
		}
		a.id, rest = rest[:n], rest[n:]
		_, after, err := decode(rest)
		if err != nil {
			return authenticator{}, err
		}
		a.key, rest = rest[:len(rest)-len(after)], after
	}
	if flags&flagExtensions != 0 {
		extensions, after, err := decode(rest)
		if err != nil {
			return authenticator{}, err
		}
		if _, ok := extensions.(map[any]any); !ok {
			return authenticator{}, ErrMalformed
		}
		rest = after
	}
	if len(rest) != 0 {
		return authenticator{}, ErrMalformed
	}
	return a, nil
}
