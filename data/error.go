package data

import (
	"errors"
	"slices"

	"plaza/locale"
)

// Code is the kind of failure of an Error; worker/request/error.go maps it to HTTP.
type Code string

// The codes of every error a store returns on purpose.
const (
	Invalid         Code = "invalid"
	Unauthenticated Code = "unauthenticated"
	Forbidden       Code = "forbidden"
	NotFound        Code = "not_found"
	Conflict        Code = "conflict"
	RateLimited     Code = "rate_limited"
	Unavailable     Code = "unavailable"
	Internal        Code = "internal"
)

// Error is a failure with a sentence for the user.
type Error struct {
	Code    Code
	Field   string      // form field it concerns; "" for the whole form
	Message locale.Text // shown to users: a full sentence, nothing internal
	See     string      // address of a page with details, such as a decision with its appeal; "" for none
	Err     error       // for the log
}

func (e *Error) Error() string {
	if e.Err != nil {
		return string(e.Code) + ": " + e.Message.String() + ": " + e.Err.Error()
	}
	return string(e.Code) + ": " + e.Message.String()
}

func (e *Error) Unwrap() error { return e.Err }

// ErrorCode returns the code of err, Internal for an error that is not an *Error, and "" for nil.
func ErrorCode(err error) Code {
	if err == nil {
		return ""
	}
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return Internal
}

// Mistakes returns every *Error in err: the ones that AllMistakes has joined, in the order of the form, or the single one. It returns
// none for an error of another type.
func Mistakes(err error) (list []*Error) {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, one := range joined.Unwrap() {
			list = append(list, Mistakes(one)...)
		}
		return list
	}
	if e := (*Error)(nil); errors.As(err, &e) {
		list = append(list, e)
	}
	return list
}

// AllMistakes joins the mistakes of a form. It returns nil when all are nil, and a single mistake as it is.
func AllMistakes(mistakes ...error) error {
	mistakes = slices.DeleteFunc(mistakes, func(err error) bool { return err == nil })
	if len(mistakes) == 1 {
		return mistakes[0]
	}
	return errors.Join(mistakes...)
}

// MistakeIf returns the Mistake in a field if the condition holds, else nil.
func MistakeIf(mistaken bool, field string, message locale.Text) error {
	if !mistaken {
		return nil
	}
	return Mistake(field, message)
}

// Mistake returns an error of code Invalid for a field of a form; "" is the whole form.
func Mistake(field string, message locale.Text) *Error {
	return &Error{Code: Invalid, Field: field, Message: message}
}
