package upstash

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"

	"plaza/data/wire/jsonscan"
)

// decoder parses the JSON of one response in a single pass. Decoded base64 goes into one builder that is grown once, so a list of a
// hundred members costs two allocations.
type decoder struct {
	jsonscan.Scanner
	texts   strings.Builder
	scratch []byte
}

func newDecoder(body string) *decoder { return &decoder{Scanner: jsonscan.Scanner{In: body}} }

// document parses {"result": …} or {"error": "…"} and expects nothing after it.
func (d *decoder) document() (Reply, error) {
	r := d.outcome()
	d.End()
	return r, d.malformed()
}

// documents parses an array of outcomes, about n of them. An object with one error in its place, for a discarded transaction, is
// returned as the error.
func (d *decoder) documents(n int) ([]Reply, error) {
	if d.Peek() == '{' {
		r, err := d.document()
		if err == nil {
			if err = r.Err(); err == nil {
				d.Fail("one result for a batch")
				err = d.malformed()
			}
		}
		return nil, err
	}
	replies := make([]Reply, 0, n)
	for ok := d.FirstItem(); ok; ok = d.NextItem() {
		replies = append(replies, d.outcome())
	}
	d.End()
	if err := d.malformed(); err != nil {
		return nil, err
	}
	return replies, nil
}

func (d *decoder) malformed() error {
	if d.Err == nil {
		return nil
	}
	return fmt.Errorf("%w: %w", ErrMalformed, d.Err)
}

// outcome parses an object with "result" or "error"; other members are skipped. An error that is null counts as none, for a server that
// sends both.
func (d *decoder) outcome() Reply {
	var out Reply
	var fail *Error
	var seen bool
	for key, ok := d.FirstKey(); ok; key, ok = d.NextKey() {
		switch {
		case key == "result":
			out, seen = d.value(), true
		case key == "error" && d.Peek() == 'n':
			d.Word("null")
		case key == "error":
			fail, seen = &Error{Status: 200, Message: d.Text()}, true
		default:
			d.Skip()
		}
	}
	if !seen {
		d.Fail("neither result nor error")
	}
	if fail != nil {
		return Reply{kind: kindError, err: fail}
	}
	return out
}

func (d *decoder) value() Reply {
	switch c := d.Peek(); {
	case c == '"':
		return Reply{kind: kindText, text: d.plain(d.Text())}
	case c == '-' || c >= '0' && c <= '9':
		return number(d.Number())
	case c == '[':
		list := []Reply{}
		for ok := d.FirstItem(); ok; ok = d.NextItem() {
			list = append(list, d.value())
		}
		return Reply{kind: kindList, list: list}
	case c == 'n':
		d.Word("null")
		return Reply{}
	case c == 't':
		d.Word("true")
		return Reply{kind: kindInt, num: 1}
	case c == 'f':
		d.Word("false")
		return Reply{kind: kindInt}
	case c == '{':
		return d.outcome()
	}
	d.Fail("no value")
	return Reply{}
}

// number parses an int64 exactly, without a float64.
func number(text string) Reply {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return Reply{kind: kindInt, num: n}
	}
	return Reply{kind: kindNumber, text: text}
}

// plain decodes base64. Other texts are returned as they are, as in the service's own client: by the protocol, "OK" is never encoded.
func (d *decoder) plain(text string) string {
	if len(text)%4 != 0 || text == "" {
		return text
	}
	n := base64.StdEncoding.DecodedLen(len(text))
	if cap(d.scratch) < n {
		d.scratch = make([]byte, max(n, 512))
	}
	n, err := base64.StdEncoding.Decode(d.scratch[:cap(d.scratch)], []byte(text))
	if err != nil {
		return text
	}
	// No text is longer in memory than in JSON, so the builder never moves.
	if d.texts.Cap() == 0 {
		d.texts.Grow(len(d.In) - d.Pos + len(text) + 2)
	}
	start := d.texts.Len()
	d.texts.Write(d.scratch[:n])
	return d.texts.String()[start:]
}
