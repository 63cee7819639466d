package session

import (
	"crypto/hmac"
	"strconv"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/accounts/sessions"
)

// CookieName is the name of the session's cookie. The prefix __Host- makes browsers take it from this host alone, for the whole
// site, over a secure connection (RFC 6265bis).
const CookieName = "__Host-session"

// Session is the content of the cookie. Its parts have times of their own: the id has the time of the last login or
// reauthentication; revocations are compared with IssuedAt; UsedAt is the last day of use.
type Session struct {
	data.Actor
	UsedAt time.Time
}

// Valid reports whether a session has not expired.
func (s Session) Valid(now time.Time) bool {
	return now.Sub(s.UsedAt) < sessions.SessionLife && now.Sub(s.SessionID.Time()) < sessions.SessionMax
}

// Remaining returns for how long a session that is used now lives.
func (s Session) Remaining() time.Duration {
	return min(sessions.SessionLife, s.SessionID.Time().Add(sessions.SessionMax).Sub(s.UsedAt))
}

// waits precedes the name of a member who waits for an administrator's approval, in the cookie. No name begins with it.
const waits = "~"

// agrees precedes the accepted version of the terms, and the year of birth, in the cookie.
const agrees = "!"

// EncodeSession returns user.session.issued.name, from the second day on .used, then what the member has agreed to, and the HMAC-SHA256
// over all of it. The cookie is enough to act as the member until it expires or is revoked. No look-up is needed.
func (k Key) EncodeSession(s Session) string {
	name := s.Name
	if s.Unapproved {
		name = waits + name
	}
	body := s.UserID.Text() + "." + s.SessionID.Text() + "." + strconv.FormatInt(s.IssuedAt.UnixMilli(), 36) + "." + name
	if !s.UsedAt.Equal(s.IssuedAt) {
		body += "." + strconv.FormatInt(s.UsedAt.UnixMilli(), 36)
	}
	if a := s.Agreed; a != (data.Consent{}) {
		body += "." + agrees + strconv.FormatInt(a.Terms, 36) + agrees + strconv.FormatInt(a.Born, 36)
	}
	return body + "." + k.Signature(body)
}

// DecodeSession parses what EncodeSession made. ok is false if the signature is wrong. The session may have expired.
// Signatures are compared as text, because base64 has several ways to write the same bytes.
func (k Key) DecodeSession(cookie string) (s Session, ok bool) {
	i := strings.LastIndexByte(cookie, '.')
	if i < 0 || len(cookie) > 512 {
		return Session{}, false
	}
	if !hmac.Equal([]byte(cookie[i+1:]), []byte(k.Signature(cookie[:i]))) {
		return Session{}, false
	}
	parts := strings.Split(cookie[:i], ".")
	var agreed data.Consent
	if last := len(parts) - 1; strings.HasPrefix(parts[last], agrees) {
		terms, born, _ := strings.Cut(parts[last][len(agrees):], agrees)
		agreed.Terms, _ = strconv.ParseInt(terms, 36, 64)
		agreed.Born, _ = strconv.ParseInt(born, 36, 64)
		parts = parts[:last]
	}
	if len(parts) == 4 {
		parts = append(parts, parts[2])
	}
	if len(parts) != 5 {
		return Session{}, false
	}
	user, errU := data.ParseID(parts[0])
	id, errS := data.ParseID(parts[1])
	issued, errI := strconv.ParseInt(parts[2], 36, 64)
	used, errA := strconv.ParseInt(parts[4], 36, 64)
	if errU != nil || errS != nil || errI != nil || errA != nil {
		return Session{}, false
	}
	name, waiting := strings.CutPrefix(parts[3], waits)
	return Session{data.Actor{UserID: user, SessionID: id, IssuedAt: time.UnixMilli(issued), Name: name, Unapproved: waiting, Agreed: agreed},
		time.UnixMilli(used)}, true
}
