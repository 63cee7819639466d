package request

import (
	"crypto/hmac"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
	"time"
)

// Some things are kept by the browser alone between two pages, in a cookie that the site signs. People can read theirs, but not change
// it, nor use it for another purpose or later.

// signedValue is what such a cookie says.
type signedValue[T any] struct {
	Expires int64 `json:"expires"` // in milliseconds since 1970
	Value   T     `json:"value"`
}

// SetSignedCookie gives the browser a value to keep. The cookie's name is its purpose.
func SetSignedCookie[T any](c *Call, name string, value T, life time.Duration) {
	b, _ := json.Marshal(signedValue[T]{c.Server.Source.Now().Add(life).UnixMilli(), value}) // texts and numbers can always be encoded
	body := base64.RawURLEncoding.EncodeToString(b)
	http.SetCookie(c.W, &http.Cookie{Name: name, Value: body + "." + c.Server.Signature(name+"\x00"+body), Path: "/",
		MaxAge: int(life / time.Second),
		Secure: true, HttpOnly: true, SameSite: http.SameSiteLaxMode})
}

// SignedCookie returns a value that the browser was given. ok is false when it was given none, or that is too long ago.
func SignedCookie[T any](c *Call, name string) (value T, expires time.Time, ok bool) {
	text, _ := c.Cookie(name)
	body, mac, _ := strings.Cut(text, ".")
	if !hmac.Equal([]byte(mac), []byte(c.Server.Signature(name+"\x00"+body))) {
		return value, expires, false
	}
	b, err := base64.RawURLEncoding.DecodeString(body)
	var s signedValue[T]
	if err != nil || json.Unmarshal(b, &s) != nil {
		return value, expires, false
	}
	expires = time.UnixMilli(s.Expires)
	return s.Value, expires, c.Server.Source.Now().Before(expires)
}

// DropSignedCookie takes it from the browser.
func DropSignedCookie(c *Call, name string) {
	http.SetCookie(c.W, &http.Cookie{Name: name, Path: "/", MaxAge: -1, Secure: true, HttpOnly: true, SameSite: http.SameSiteLaxMode})
}
