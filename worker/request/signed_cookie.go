package request

import (
	"crypto/hmac"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
	"time"
)

// Some values are kept only by the browser between two pages, in a cookie that the site signs. People can read their cookie, but can't
// change it, nor use it for another purpose or later.

// signedValue is the content of such a cookie.
type signedValue[T any] struct {
	Expires int64 `json:"expires"` // in milliseconds since 1970
	Value   T     `json:"value"`
}

// SetSignedCookie stores a value in a signed cookie. The cookie's name is its purpose.
func SetSignedCookie[T any](c *Call, name string, value T, life time.Duration) {
	b, _ := json.Marshal(signedValue[T]{c.Server.Source.Now().Add(life).UnixMilli(), value}) // texts and numbers can always be encoded
	body := base64.RawURLEncoding.EncodeToString(b)
	http.SetCookie(c.W, &http.Cookie{Name: name, Value: body + "." + c.Server.Signature(name+"\x00"+body), Path: "/",
		MaxAge: int(life / time.Second),
		Secure: true, HttpOnly: true, SameSite: http.SameSiteLaxMode})
}

// SignedCookie returns the value of a signed cookie. ok is false if there is none, it has expired, or its signature is wrong.
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

// DropSignedCookie deletes a signed cookie in the browser.
func DropSignedCookie(c *Call, name string) {
	http.SetCookie(c.W, &http.Cookie{Name: name, Path: "/", MaxAge: -1, Secure: true, HttpOnly: true, SameSite: http.SameSiteLaxMode})
}
