package worker

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"plaza/data"
	"plaza/render"
	"plaza/strictjson"
)

// bodyLimit is how long the body of a request may be, in bytes.
const bodyLimit = 1 << 20

var errTooLarge = &data.Error{Code: codeTooLarge, Message: "That is more than can be sent at once: at most one megabyte."}

// parse reads the fields of a form or of a JSON object into c.form, once. Small forms, which stand on a page many
// times, have their target in the address, because that is shorter than a field. Invalid, too_large or
// unsupported_media_type.
func (c *call) parse() error {
	if c.form != nil {
		return nil
	}
	c.form = url.Values{}
	if safeMethod(c.r.Method) {
		c.form = c.r.URL.Query()
		return nil
	}
	body, err := io.ReadAll(http.MaxBytesReader(c.w, c.r.Body, bodyLimit))
	if err != nil {
		if tooLong := (*http.MaxBytesError)(nil); errors.As(err, &tooLong) {
			return errTooLarge
		}
		return &data.Error{Code: data.Invalid, Message: "The request did not arrive whole. Please send it again.", Err: err}
	}
	kind, _, _ := mime.ParseMediaType(c.r.Header.Get("Content-Type"))
	switch {
	case kind == "multipart/form-data" && c.route.Pattern == "/unsubscribe": // from a mail program (RFC 8058); the address says all
	case kind == "application/x-www-form-urlencoded" || kind == "":
		if c.form, err = url.ParseQuery(string(body)); err != nil {
			c.form = url.Values{}
			return &data.Error{Code: data.Invalid, Message: "The form did not arrive as it was sent. Please send it again.", Err: err}
		}
	case kind == "application/json":
		c.object = true
		fields, err := objectOf(body)
		if err != nil {
			return err
		}
		for name, v := range fields {
			switch v := v.(type) {
			case string:
				c.form.Set(name, v)
			case json.Number, bool:
				c.form.Set(name, fmt.Sprint(v))
			case nil:
			default:
				return &data.Error{Code: data.Invalid, Field: name, Message: "A field is a text, a number or a truth value."}
			}
		}
	default:
		return &data.Error{Code: codeMediaType, Message: "Please send a form or a JSON object."}
	}
	if target := c.r.URL.Query().Get("target"); target != "" && !c.form.Has("target") {
		c.form.Set("target", target)
	}
	return nil
}

// objectOf reads a JSON object. Names count in their exact letters. Invalid, also for a repeated name, because nobody can tell which value
// is meant.
func objectOf(body []byte) (fields map[string]any, err error) {
	switch err := strictjson.Check(body); {
	case errors.Is(err, strictjson.ErrTwice):
		return nil, &data.Error{Code: data.Invalid, Message: "The JSON object has a field twice. Please send each field once."}
	case errors.Is(err, strictjson.ErrText):
		return nil, &data.Error{Code: data.Invalid, Message: "The JSON object has a text that is not Unicode (UTF-8)."}
	case err != nil:
		return nil, &data.Error{Code: data.Invalid, Message: "The body is not a JSON object."}
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	if err := d.Decode(&fields); err != nil {
		return nil, &data.Error{Code: data.Invalid, Message: "The body is not a JSON object."}
	}
	return fields, nil
}

// value returns a field of the form. Lines end in \n, control characters are taken out, and broken UTF-8 is replaced.
func (c *call) value(name string) string {
	s := strings.ToValidUTF8(c.form.Get(name), "\uFFFD")
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && unicode.IsControl(r) {
			return -1
		}
		return r
	}, lineEndings.Replace(s))
}

// whole is value for a field that names a user, such as an address. It keeps control characters, so that validation refuses them: without
// them, the name may be another user's.
func (c *call) whole(name string) string { return strings.ToValidUTF8(c.form.Get(name), "\uFFFD") }

var lineEndings = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// flag tells whether a box of a form is ticked, or a truth value of a JSON object is true.
func (c *call) flag(name string) bool {
	v := c.value(name)
	return v != "" && v != "0" && v != "false"
}

// names tells whether the request has one of the fields, even if it is empty.
func (c *call) names(fields ...string) bool {
	return slices.ContainsFunc(fields, func(name string) bool { return c.form[name] != nil })
}

// targetOf returns the id of the post or comment that a form is about. Invalid.
func targetOf(c *call) (data.ID, error) {
	target, err := data.ParseID(c.value("target"))
	if err != nil {
		return 0, &data.Error{Code: data.Invalid, Field: "target", Message: "That is not a post or comment of this site."}
	}
	return target, nil
}

// targetAndOn reads the fields of an action that turns something on or off for a post or comment. Invalid.
func targetAndOn(c *call) (data.ID, bool, error) {
	target, err := targetOf(c)
	if err != nil {
		return 0, false, err
	}
	switch c.value("on") {
	case "1", "true":
		return target, true, nil
	case "0", "false":
		return target, false, nil
	}
	return 0, false, &data.Error{Code: data.Invalid, Field: "on", Message: "on is 1 to begin and 0 to end it."}
}

// revisionOf returns which revision the form was made from; 0, which is the text as posted, where the form doesn't say.
func revisionOf(c *call) int64 {
	revision, _ := strconv.ParseInt(c.value("revision"), 10, 64)
	return revision
}

// conflict writes the stored revision into a form that was refused because of a newer one. The form is shown again
// beside what was saved meanwhile, and sending it once more replaces that.
func (c *call) conflict(err error, revision int64) {
	if data.ErrorCode(err) == data.Conflict {
		c.form.Set("revision", strconv.FormatInt(revision, 10))
	}
}

// typed returns the form as it was filled in, to be shown again. Nobody names a password here.
func (c *call) typed(names ...string) render.Form {
	f := render.Form{Values: map[string]string{}, Errors: map[string]string{}}
	for _, name := range names {
		f.Values[name] = c.value(name)
	}
	return f
}

// wrong adds an error to a form, or all mistakes of one. A mistake stands at its field if the form has that field,
// else above the form. Each place shows one.
func wrong(f render.Form, err error) render.Form {
	mistakes := data.Mistakes(err)
	if len(mistakes) == 0 {
		f.Errors[""] = messageOf(err)
	}
	for _, e := range mistakes {
		field := e.Field
		if _, has := f.Values[field]; !has && field != "password" {
			field = ""
		}
		f.Errors[field] = cmp.Or(f.Errors[field], e.Message)
	}
	alreadySent(&f, err)
	return f
}

// formStatus is the HTTP status of a page that shows its form again because of err.
func formStatus(err error) int { return statusOf(err, http.MethodPost) }

// formCanSay tells whether a form is shown again because of err. Other errors have a page of their own.
func formCanSay(err error) bool {
	switch data.ErrorCode(err) {
	case data.Invalid, data.Conflict, data.AlreadySent, data.NotFound, data.Forbidden, data.Unauthenticated, data.RateLimited, data.Unavailable:
		return true
	}
	return false
}

// checked is the value of a box, "" when it isn't ticked.
func checked(on bool) string {
	if on {
		return "1"
	}
	return ""
}
