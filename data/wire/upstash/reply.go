package upstash

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ErrNil is returned when a nil reply is read as a number.
var ErrNil = errors.New("upstash: nil reply")

// Error is what Redis, the service or a proxy sent instead of a result. Status is the HTTP status: 200 for an element of a batch, 400
// for a single command or a discarded transaction, 401 for a wrong token, 429 over a limit. Message is as Redis sent it.
type Error struct {
	Status  int
	Message string
}

func (e *Error) Error() string {
	switch {
	case e.Status == 200:
		return "upstash: " + e.Message
	case e.Message == "":
		return fmt.Sprintf("upstash: HTTP %d", e.Status)
	}
	return fmt.Sprintf("upstash: HTTP %d: %s", e.Status, e.Message)
}

// Code is the first word of the message, such as WRONGTYPE, NOSCRIPT or ERR, when it is in Redis's form; otherwise "".
func (e *Error) Code() string {
	word, _, _ := strings.Cut(e.Message, " ")
	for _, c := range word {
		if c < 'A' || c > 'Z' {
			return ""
		}
	}
	return word
}

// FirstError returns the first failed command's error with its position, or nil.
func FirstError(replies []Reply) error {
	for i, r := range replies {
		if r.err != nil {
			return fmt.Errorf("command %d: %w", i, r.err)
		}
	}
	return nil
}

type kind uint8

const (
	kindNil kind = iota
	kindInt
	kindNumber // a number that is not an int64; its digits are in text
	kindText
	kindList
	kindError
)

// Reply is one command's result. Its texts share the memory of their response: clone one that is kept for long. The zero Reply is nil.
type Reply struct {
	kind kind
	num  int64
	text string
	list []Reply
	err  *Error
}

// Err is the *Error that the command failed with, or nil.
func (r Reply) Err() error {
	if r.err == nil {
		return nil
	}
	return r.err
}

// WrongType reports whether the command failed because its key holds another kind of value.
func (r Reply) WrongType() bool { return r.err != nil && r.err.Code() == "WRONGTYPE" }

// Nil reports whether Redis returned nil: no such key, a condition that was not met.
func (r Reply) Nil() bool { return r.kind == kindNil }

// Int returns an integer reply, or parses a text.
func (r Reply) Int() (int64, error) {
	switch r.kind {
	case kindInt:
		return r.num, nil
	case kindText, kindNumber:
		n, err := strconv.ParseInt(r.text, 10, 64)
		if err != nil {
			return 0, fmt.Errorf("upstash: reply %.40q is not an int64", r.text)
		}
		return n, nil
	}
	return 0, r.not("an integer")
}

// Float is a number, or text that spells one, such as a score; inf and -inf included.
func (r Reply) Float() (float64, error) {
	switch r.kind {
	case kindInt:
		return float64(r.num), nil
	case kindText, kindNumber:
		f, err := strconv.ParseFloat(r.text, 64)
		if err != nil {
			return 0, fmt.Errorf("upstash: reply %.40q is not a number", r.text)
		}
		return f, nil
	}
	return 0, r.not("a number")
}

// Text returns a string reply, or a number's digits; false for nil.
func (r Reply) Text() (string, bool, error) {
	switch r.kind {
	case kindText, kindNumber:
		return r.text, true, nil
	case kindInt:
		return strconv.FormatInt(r.num, 10), true, nil
	case kindNil:
		return "", false, nil
	}
	return "", false, r.not("text")
}

// Strings returns a list's elements as text, nil for nil. A nil element becomes ""; if the difference matters use List.
func (r Reply) Strings() ([]string, error) {
	list, err := r.List()
	if err != nil || list == nil {
		return nil, err
	}
	out := make([]string, len(list))
	for i, e := range list {
		if out[i], _, err = e.Text(); err != nil {
			return nil, fmt.Errorf("element %d: %w", i, err)
		}
	}
	return out, nil
}

// List returns a list's elements, nil for nil.
func (r Reply) List() ([]Reply, error) {
	switch r.kind {
	case kindList:
		return r.list, nil
	case kindNil:
		return nil, nil
	}
	return nil, r.not("a list")
}

// String returns a form for logs and tests: text quoted, lists in brackets, an error as its message.
func (r Reply) String() string {
	switch r.kind {
	case kindInt:
		return strconv.FormatInt(r.num, 10)
	case kindNumber:
		return r.text
	case kindText:
		return strconv.Quote(r.text)
	case kindList:
		return fmt.Sprint(r.list)
	case kindError:
		return r.err.Message
	}
	return "nil"
}

func (r Reply) not(wanted string) error {
	switch r.kind {
	case kindError:
		return r.err
	case kindNil:
		return ErrNil
	}
	have := map[kind]string{kindInt: "an integer", kindNumber: "a number", kindText: "text", kindList: "a list"}[r.kind]
	return fmt.Errorf("upstash: reply is %s, not %s", have, wanted)
}
