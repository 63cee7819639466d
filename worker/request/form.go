package request

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"math"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"plaza/data"
	"plaza/data/events/modlog"
	"plaza/locale"
	"plaza/protocol/strictjson"
	"plaza/render/ui"
)

// bodyLimit bounds the body of a request, in bytes.
const bodyLimit = 1 << 20

var errTooLarge = &data.Error{Code: codeTooLarge, Message: "That is more than can be sent at once: at most one megabyte."}

// Parse reads the fields of a form or of a JSON object into c.Form. A second call does nothing. Forms that a page has many times have
// their target in the address, which is shorter than a field. It returns Invalid, too_large or unsupported_media_type.
func (c *Call) Parse() error {
	if c.Form != nil {
		return nil
	}
	c.Form = url.Values{}
	if SafeMethod(c.R.Method) {
		c.Form = c.R.URL.Query()
		return nil
	}
	body, err := io.ReadAll(http.MaxBytesReader(c.W, c.R.Body, bodyLimit))
	if err != nil {
		if tooLong := (*http.MaxBytesError)(nil); errors.As(err, &tooLong) {
			return errTooLarge
		}
		return &data.Error{Code: data.Invalid, Message: "The request did not arrive whole. Please send it again.", Err: err}
	}
	kind, _, _ := mime.ParseMediaType(c.R.Header.Get("Content-Type"))
	switch {
	case kind == "multipart/form-data" && c.Route.Pattern == "/unsubscribe": // from a mail program (RFC 8058); the address has all fields
	case kind == "application/x-www-form-urlencoded" || kind == "":
		if c.Form, err = url.ParseQuery(string(body)); err != nil {
			c.Form = url.Values{}
			return &data.Error{Code: data.Invalid, Message: "The form did not arrive as it was sent. Please send it again.", Err: err}
		}
	case kind == "application/json":
		c.Object = true
		fields, err := objectOf(body)
		if err != nil {
			return err
		}
		for name, v := range fields {
			switch v := v.(type) {
			case string:
				c.Form.Set(name, v)
			case json.Number:
				c.Form.Set(name, wholeNumber(v))
			case bool:
				c.Form.Set(name, strconv.FormatBool(v))
			}
		}
	default:
		return &data.Error{Code: codeMediaType, Message: "Please send a form or a JSON object."}
	}
	if target := c.R.URL.Query().Get("target"); target != "" && !c.Form.Has("target") {
		c.Form.Set("target", target)
	}
	return nil
}

// wholeNumber returns a number of a JSON object as a form would have it: 1.0 and 1e0 are 1.
func wholeNumber(n json.Number) string {
	if f, err := n.Float64(); err == nil && strings.ContainsAny(string(n), ".eE") && f == math.Trunc(f) && math.Abs(f) < 1<<53 {
		return strconv.FormatInt(int64(f), 10)
	}
	return string(n)
}

// maxFields bounds the fields of a JSON object.
const maxFields = 500

// objectOf reads a JSON object. Names are case-sensitive. It returns Invalid also for a repeated name, because it is unclear which value
// is meant.
func objectOf(body []byte) (fields map[string]any, err error) {
	nested := &strictjson.NestedError{}
	switch err := strictjson.CheckFlat(body, maxFields); {
	case errors.As(err, &nested) && nested.Name != "":
		return nil, &data.Error{Code: data.Invalid, Field: nested.Name, Message: "A field is a text, a number or a truth value."}
	case errors.Is(err, strictjson.ErrLong):
		return nil, &data.Error{Code: data.Invalid, Message: "The JSON object has more than 500 fields."}
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

// Value returns a field of the form. Lines end in \n, other control characters are removed, and invalid UTF-8 is replaced.
func (c *Call) Value(name string) string {
	s := strings.ToValidUTF8(c.Form.Get(name), "\uFFFD")
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && unicode.IsControl(r) {
			return -1
		}
		return r
	}, lineEndings.Replace(s))
}

// RawValue is Value for a field that names a user, such as an address. It keeps control characters, so that validation refuses them:
// without them, the name may be another user's.
func (c *Call) RawValue(name string) string { return strings.ToValidUTF8(c.Form.Get(name), "\uFFFD") }

var lineEndings = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// Flag reports whether a checkbox of a form is ticked, or a truth value of a JSON object is true.
func (c *Call) Flag(name string) bool {
	v := c.Value(name)
	return v != "" && v != "0" && v != "false"
}

// HasAny reports whether the request has one of the fields, even if it is empty.
func (c *Call) HasAny(fields ...string) bool {
	return slices.ContainsFunc(fields, func(name string) bool { return c.Form[name] != nil })
}

// TargetOf returns the id of the post or comment that a form is about. Invalid.
func TargetOf(c *Call) (data.ID, error) {
	target, err := data.ParseID(c.Value("target"))
	if err != nil {
		return 0, &data.Error{Code: data.Invalid, Field: "target", Message: "That is not a post or comment of this site."}
	}
	return target, nil
}

// TargetAndOn reads the fields of an action that turns something on or off for a post or comment. Invalid.
func TargetAndOn(c *Call) (data.ID, bool, error) {
	target, err := TargetOf(c)
	if err != nil {
		return 0, false, err
	}
	on, err := On(c)
	return target, on, err
}

// On reads whether an action turns something on or off. Invalid.
func On(c *Call) (bool, error) {
	switch c.Value("on") {
	case "1", "true":
		return true, nil
	case "0", "false":
		return false, nil
	}
	return false, &data.Error{Code: data.Invalid, Field: "on", Message: "on is 1 to begin and 0 to end it."}
}

// RevisionOf returns the revision that the form was made from; 0, which is the text as posted, if the form has none.
func RevisionOf(c *Call) int64 {
	revision, _ := strconv.ParseInt(c.Value("revision"), 10, 64)
	return revision
}

// Conflict writes the stored revision into a form that was refused because of a newer one. The form is shown again
// beside what was saved meanwhile, and sending it once more replaces that.
func (c *Call) Conflict(err error, revision int64) {
	if data.ErrorCode(err) == data.Conflict {
		c.Form.Set("revision", strconv.FormatInt(revision, 10))
	}
}

// Typed returns the form as it was filled in, to be shown again. names must not include passwords.
func (c *Call) Typed(names ...string) ui.Form {
	f := ui.Form{Values: map[string]string{}, Errors: map[string]locale.Text{}}
	for _, name := range names {
		f.Values[name] = c.Value(name)
	}
	return f
}

// WithError adds an error, or each mistake that it contains, to a form. A mistake is shown at its field if the form has that field,
// else above the form. Only the first mistake of each place is shown.
func WithError(f ui.Form, err error) ui.Form {
	mistakes := data.Mistakes(err)
	if len(mistakes) == 0 {
		f.Errors[""] = MessageOf(err)
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

// FormStatus is the HTTP status of a page that shows its form again because of err.
func FormStatus(err error) int { return StatusOf(err, http.MethodPost) }

// Checked returns the value of a checkbox; "" if it isn't ticked.
func Checked(on bool) string {
	if on {
		return "1"
	}
	return ""
}

// BanDays are the durations of a ban, in days, that forms offer.
var BanDays = []int{1, 3, 7, 30, 90, 365}

// Act reads the fields that forms of decisions have.
func (c *Call) Act() modlog.Act {
	return modlog.Act{Action: modlog.Action(c.Value("decision")), Rule: c.Value("rule"), Note: c.Value("text"), Days: c.Days("days")}
}

// Days reads a field with a number of days. It returns 0 if the field is empty and -1 if it is no number, which is refused as too few.
func (c *Call) Days(name string) int {
	text := c.Value(name)
	if text == "" {
		return 0
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return -1
	}
	return n
}
