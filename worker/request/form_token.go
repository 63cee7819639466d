package request

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"strings"

	"plaza/data"
	"plaza/locale"
	"plaza/render/ui"
)

// Forms that create something have a form token. If a form is sent again, because its response was an error or never
// arrived, the token identifies it, and nothing is created twice (data/idempotency.go). Programs send theirs in the
// header Idempotency-Key.

// NewToken makes a token of 128 random bits.
func NewToken() string {
	var b [16]byte
	_, _ = rand.Read(b[:])
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// Token returns the token of the form that was sent, "" if it has none. Invalid.
func (c *Call) Token() (string, error) {
	token := c.R.Header.Get("Idempotency-Key")
	if token == "" {
		token = c.Value("token")
	} else if bare := strings.TrimPrefix(token, `"`); bare != token { // a quoted string, as structured fields have it
		token = strings.TrimSuffix(bare, `"`)
	}
	if token != "" && !data.ValidToken(token) {
		return "", &data.Error{Code: data.Invalid,
			Message: "The token of a form has 16 to 64 letters, digits, - and _. Please send it once more."}
	}
	return token, nil
}

// WithToken adds a token to a form that is shown. A form that is shown again keeps the token that it was sent with, so that
// a repetition is recognised.
func (c *Call) WithToken(f ui.Form) ui.Form {
	if f.Values["token"] == "" && !SafeMethod(c.R.Method) {
		f.Values["token"], _ = c.Token()
	}
	if f.Values["token"] == "" {
		f.Values["token"] = NewToken()
	}
	return f
}

// alreadySent changes a form that was refused because it was sent before: it links to what the form has created, and
// gets a new token, so that sending it once more creates another.
func alreadySent(f *ui.Form, err error) {
	if e := (*data.Error)(nil); errors.As(err, &e) {
		f.See = e.See
	}
	if created := (*data.KeyReused)(nil); errors.As(err, &created) {
		f.CreatedURL, f.Values["token"] = created.URL, NewToken()
		f.Errors[""] = locale.With("{} Sending it once more makes another.", MessageOf(err))
	}
}

// LinkHash returns the hash of a link's secret, which is stored instead of the secret.
func LinkHash(token string) string {
	sum := sha256.Sum256([]byte(token))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}
