package account

import (
	"crypto/hmac"
	"crypto/rand"
	"encoding/base64"
	"encoding/binary"
	"net/http"
	"time"

	"plaza/data"
	"plaza/data/accounts/onetime"
	"plaza/worker/request"
)

// A challenge is what a passkey signs: random bytes, the time when it expires, and a MAC of the site. The MAC also covers the purpose of
// the challenge, the account or session that it is about, and the cookie of the browser that requested it. So nothing is stored when a
// challenge is issued, two tabs may each have one, and a response from another browser is refused. A challenge is accepted once
// (data/accounts/onetime).

// browserCookie identifies a browser. It lasts as long as the browser is open.
const browserCookie = "__Host-browser"

// challengeLife is how long a challenge is valid.
const challengeLife = 5 * time.Minute

// Purposes of challenges.
const (
	forSignIn = "login"
	forSignUp = "sign-up" // about the id of the future account
	forAdding = "add"     // about the session
	forProof  = "prove"   // about the session
)

const (
	challengeRandom = 18
	challengeMAC    = 24
)

var errChallenge = &data.Error{Code: data.Invalid, Message: "That took too long, or it was begun in another browser. Please try again."}

// newChallenge returns a challenge for the caller's browser.
func (h *Handlers) newChallenge(c *request.Call, purpose, about string) string {
	browser, ok := c.Cookie(browserCookie)
	if !ok || !data.ValidToken(browser) {
		browser = request.NewToken()
		http.SetCookie(c.W, &http.Cookie{Name: browserCookie, Value: browser, Path: "/", Secure: true, HttpOnly: true,
			SameSite: http.SameSiteStrictMode})
	}
	b := make([]byte, challengeRandom, challengeRandom+8+challengeMAC)
	_, _ = rand.Read(b)
	b = binary.BigEndian.AppendUint64(b, uint64(h.Source.Now().Add(challengeLife).UnixMilli()))
	return base64.RawURLEncoding.EncodeToString(append(b, h.signChallenge(b, purpose, about, browser)...))
}

func (h *Handlers) signChallenge(b []byte, purpose, about, browser string) []byte {
	return h.Key.Sign("challenge\x00" + purpose + "\x00" + about + "\x00" + browser + "\x00" + string(b))[:challengeMAC]
}

// checkChallenge returns the token that allows a valid challenge to be used only once. Invalid if this browser did not get the challenge
// for this purpose, or if it has expired.
func (h *Handlers) checkChallenge(c *request.Call, challenge, purpose, about string) (onetime.Token, error) {
	browser, ok := c.Cookie(browserCookie)
	b, err := base64.RawURLEncoding.DecodeString(challenge)
	if !ok || err != nil || len(b) != challengeRandom+8+challengeMAC {
		return onetime.Token{}, errChallenge
	}
	b, mac := b[:challengeRandom+8], b[challengeRandom+8:]
	expires := time.UnixMilli(int64(binary.BigEndian.Uint64(b[challengeRandom:])))
	if !hmac.Equal(mac, h.signChallenge(b, purpose, about, browser)) || !h.Source.Now().Before(expires) {
		return onetime.Token{}, errChallenge
	}
	return onetime.New("challenge", string(b), expires), nil
}
