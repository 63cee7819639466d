package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"

	"plaza/data/wire/hrana"
	"plaza/worker"
)

// recorder writes down what a database answers.
type recorder struct {
	tape *bytes.Buffer
	json bool // it knows no protobuf
}

func (t recorder) Do(r *http.Request) (*http.Response, error) {
	protobuf := strings.Contains(r.URL.Path, "protobuf")
	if t.json && protobuf {
		return &http.Response{StatusCode: http.StatusNotFound, Header: http.Header{}, Body: http.NoBody, Request: r}, nil
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, err
	}
	if protobuf {
		err = forgetDurations(body, durations)
	} else {
		body = jsonDuration.ReplaceAll(body, []byte("${1}0"))
	}
	fmt.Fprintf(t.tape, "answer %s %d\n%s\n", r.URL.Path, len(body), body)
	res.Body = io.NopCloser(bytes.NewReader(body))
	return res, err
}

// What sqld measures is another number each time.
var (
	jsonDuration = regexp.MustCompile(`("query_duration_ms":)[^,}]*`)
	// durations are the numbers of the fields that lead to one: results, ok, batch, result, step_results, value, query_duration_ms.
	durations = []uint64{3, 1, 3, 1, 1, 2, 8}
)

// forgetDurations sets to zero the number at the end of a path of fields, in all messages that it leads through.
func forgetDurations(message []byte, path []uint64) error {
	for len(message) > 0 {
		key, n := binary.Uvarint(message)
		message = message[max(n, 0):]
		length, wanted := uint64(0), key>>3 == path[0]
		switch key & 7 {
		case 0: // varint
			_, n := binary.Uvarint(message)
			length = uint64(max(n, 0))
		case 1: // 64 bits
			length = 8
		case 2: // bytes
			size, n := binary.Uvarint(message)
			message, length = message[max(n, 0):], size
		default:
			return errors.New("the database's answer has fields of an unknown kind")
		}
		if n <= 0 || length > uint64(len(message)) {
			return errors.New("the database's answer is cut off")
		}
		switch field := message[:length]; {
		case wanted && len(path) == 1:
			clear(field)
		case wanted && key&7 == 2:
			if err := forgetDurations(field, path[1:]); err != nil {
				return err
			}
		}
		message = message[length:]
	}
	return nil
}

// perform makes the pages of a tape as an instance does at its start. It fails when one asks for something else than the tape has.
func perform(tape string, json bool) error {
	database := "http://db.example"
	if json {
		database = "https://db.turso.io"
	}
	rehearsal, err := worker.NewRehearsal(tape, database, func(tape hrana.Doer) hrana.Doer { return tape })
	if err != nil {
		return err
	}
	for path, cookie := rehearsal.Next(); path != ""; path, cookie = rehearsal.Next() {
		w := httptest.NewRecorder()
		r := httptest.NewRequest(http.MethodGet, "https://plaza.example"+path, nil)
		r.Header.Set("Cookie", cookie)
		rehearsal.App.ServeHTTP(w, r)
		page := w.Body.String()
		if w.Code != http.StatusOK || !strings.Contains(page, "A post about gophers") ||
			strings.Contains(page, `action="/logout"`) != (cookie != "") {
			return fmt.Errorf("%s is not made from the tape: it answers %d", path, w.Code)
		}
	}
	return nil
}
