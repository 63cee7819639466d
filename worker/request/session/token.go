package session

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"encoding/binary"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/accounts/sessions"
)

// Programs act for a member by an API token in the header Authorization. A token is signed by the site, so its
// member and its scopes are known without a look-up. Pages read its row along with the rest, and statements that write check its
// revocation, as they do for a session.

// tokenPrefix is at the beginning of every token. Programs that look for leaked secrets know them by it.
const tokenPrefix = "plaza_"

// tokenLetters encodes the rest, in letters and digits, which a double click selects as one word.
var tokenLetters = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// The bytes of a token before its member's name, and those of the signature after it.
const (
	tokenHead      = 8 + 8 + 1 + 2 // ids of member and token, scopes, the day since 1970 on which it expires
	tokenSignature = 20
)

// Token is the content of a token.
type Token struct {
	data.Actor
	Scopes  sessions.Scope
	Expires time.Time
}

// EncodeToken returns the text of a token that was made for a member.
func (k Key) EncodeToken(member data.Actor, t sessions.Token) string {
	b := binary.BigEndian.AppendUint64(nil, uint64(member.UserID))
	b = binary.BigEndian.AppendUint64(b, uint64(t.ID))
	b = append(b, byte(t.Scopes))
	b = binary.BigEndian.AppendUint16(b, uint16(t.ExpiresAt.Unix()/86400))
	b = append(b, member.Name...)
	return tokenPrefix + tokenLetters.EncodeToString(append(b, k.signToken(b)...))
}

func (k Key) signToken(b []byte) []byte { return k.Sign("token\x00" + string(b))[:tokenSignature] }

// DecodeToken parses what EncodeToken has returned. ok is false if this site did not sign it, and for any other encoding of
// the same bytes.
func (k Key) DecodeToken(text string) (t Token, ok bool) {
	letters, ok := strings.CutPrefix(text, tokenPrefix)
	if !ok || len(letters) > 200 {
		return t, false
	}
	b, err := tokenLetters.DecodeString(letters)
	if err != nil || len(b) <= tokenHead+tokenSignature || tokenLetters.EncodeToString(b) != letters {
		return t, false
	}
	b, signature := b[:len(b)-tokenSignature], b[len(b)-tokenSignature:]
	if !hmac.Equal(signature, k.signToken(b)) {
		return t, false
	}
	t.UserID, t.SessionID = data.ID(binary.BigEndian.Uint64(b)), data.ID(binary.BigEndian.Uint64(b[8:]))
	t.Scopes, t.Expires = sessions.Scope(b[16]), time.Unix(int64(binary.BigEndian.Uint16(b[17:]))*86400, 0)
	t.IssuedAt, t.Name, t.Token = t.SessionID.Time(), string(b[tokenHead:]), HashToken(text)
	if t.Roles = data.NoRoles; t.Scopes&sessions.Moderate != 0 {
		t.Roles = data.RolesInCommunities
	}
	return t, true
}

// HashToken returns the hash of a token, which the database stores instead of the token.
func HashToken(text string) string {
	sum := sha256.Sum256([]byte(text))
	return base64.RawStdEncoding.EncodeToString(sum[:])
}
