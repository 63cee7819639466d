package worker

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/people"
)

// sessionCookie carries the session. The prefix __Host- makes browsers take it from this host alone, for the whole
// site, over a secure connection (RFC 6265bis).
const sessionCookie = "__Host-session"

// encodeSession is user.session.issued.name and the HMAC-SHA256 over them. Whoever has it is the member until it runs
// out or is revoked; no look-up is needed.
func (a *App) encodeSession(s data.Actor) string {
	body := s.UserID.Text() + "." + s.SessionID.Text() + "." + strconv.FormatInt(s.IssuedAt.UnixMilli(), 36) + "." + s.Name
	return body + "." + a.signature(body)
}

// signature is sign, in characters that a cookie may have.
func (a *App) signature(body string) string {
	return base64.RawURLEncoding.EncodeToString(a.sign(body))
}

// sign is the HMAC-SHA256 of a text under the site's secret.
func (a *App) sign(body string) []byte {
	m := hmac.New(sha256.New, a.Secret)
	_, _ = m.Write([]byte("session\x00" + body))
	return m.Sum(nil)
}

// decodeSession reads what encodeSession made. ok is false if the signature is wrong, or the session too old.
// Signatures are compared as text, because base64 has several ways to write the same bytes.
func (a *App) decodeSession(s string) (data.Actor, bool) {
	i := strings.LastIndexByte(s, '.')
	if i < 0 || len(s) > 512 {
		return data.Actor{}, false
	}
	if !hmac.Equal([]byte(s[i+1:]), []byte(a.signature(s[:i]))) {
		return data.Actor{}, false
	}
	parts := strings.SplitN(s[:i], ".", 4)
	if len(parts) != 4 {
		return data.Actor{}, false
	}
	user, errU := data.ParseID(parts[0])
	session, errS := data.ParseID(parts[1])
	issued, errI := strconv.ParseInt(parts[2], 36, 64)
	if errU != nil || errS != nil || errI != nil {
		return data.Actor{}, false
	}
	actor := data.Actor{UserID: user, SessionID: session, IssuedAt: time.UnixMilli(issued), Name: parts[3]}
	return actor, a.Source.Now().Sub(actor.IssuedAt) < people.SessionLife
}

// readSession sets who calls. A cookie that this site did not sign, or an old one, is deleted in the browser.
func (a *App) readSession(c *call) {
	value, ok := c.cookie(sessionCookie)
	if !ok {
		return
	}
	actor, ok := a.knownSession(value)
	if !ok {
		c.forged = true
		http.SetCookie(c.w, endedCookie())
		return
	}
	c.actor = &actor
}

// sessionsKnown bounds the cookies whose signature an instance remembers.
const sessionsKnown = 1000

// knownSession is decodeSession with a memory: an instance checks the signature of a cookie once. Its age is checked
// each time.
func (a *App) knownSession(cookie string) (data.Actor, bool) {
	a.mu.Lock()
	actor, ok := a.known[cookie]
	a.mu.Unlock()
	if ok {
		return actor, a.Source.Now().Sub(actor.IssuedAt) < people.SessionLife
	}
	if actor, ok = a.decodeSession(cookie); !ok {
		return actor, false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.known) >= sessionsKnown {
		clear(a.known)
	}
	a.known[cookie] = actor
	return actor, true
}

// startSession sends the cookie of a new session.
func (a *App) startSession(c *call, s data.Actor) {
	http.SetCookie(c.w, &http.Cookie{
		Name: sessionCookie, Value: a.encodeSession(s), Path: "/", MaxAge: int(people.SessionLife / time.Second),
		Secure: true, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
}

// endedCookie deletes the session's cookie in the browser.
func endedCookie() *http.Cookie {
	return &http.Cookie{Name: sessionCookie, Path: "/", MaxAge: -1, Secure: true, HttpOnly: true, SameSite: http.SameSiteLaxMode}
}
