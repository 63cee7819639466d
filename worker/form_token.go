package worker

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"strings"

	"plaza/data"
	"plaza/render"
)

// Forms that make something carry a token, so that one that is sent again, because its
// answer was an error or never came, makes nothing twice (data/made.go). Programs send
// theirs in the header Idempotency-Key.

// newToken is the token of a form nobody has sent yet: 128 random bits.
func newToken() string {
	var b [16]byte
	_, _ = rand.Read(b[:])
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// token is that of the form that was sent, "" for one without. Invalid for what can't be
// one.
func (c *call) token() (string, error) {
	token := c.r.Header.Get("Idempotency-Key")
	if token == "" {
		token = c.value("token")
	} else if bare := strings.TrimPrefix(token, `"`); bare != token { // the notation of texts in headers
		token = strings.TrimSuffix(bare, `"`)
	}
	if token != "" && !data.ValidToken(token) {
		return "", &data.Error{Code: data.Invalid, Message: "The token of a form has 16 to 64 letters, digits, - and _. Please send it once more."}
	}
	return token, nil
}

// withToken gives a form that is shown its token: the one it was sent with, so that sending
// it again is noticed, or a new one.
func (c *call) withToken(f render.Form) render.Form {
	if f.Values["token"] == "" && !safeMethod(c.r.Method) {
		f.Values["token"], _ = c.token()
	}
	if f.Values["token"] == "" {
		f.Values["token"] = newToken()
	}
	return f
}

// alreadySent adds to a form, if the error says so, what it has made before, and a new
// token: sent as it is now, it makes another.
func alreadySent(f *render.Form, err error) {
	if made := (*data.AlreadyMade)(nil); errors.As(err, &made) {
		f.Made, f.Values["token"] = made.URL, newToken()
		f.Errors[""] = messageOf(err) + " Sending it once more makes another."
	}
}
