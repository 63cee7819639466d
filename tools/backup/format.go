package backup

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A database's file is gzipped text, a JSON value a line:
//
//	{"plaza_backup":1,"database":"directory"}
//	{"kind":"table","name":"users","sql":"CREATE TABLE users (…)","columns":["id","username",…]}
//	[117861310376447680,"ann",…]                      a row: integers, numbers with a point or an exponent for REAL,
//	                                                  texts, null, {"base64":"…"}
//	{"rows":1,"sha256":"…"}                           of the table's lines of rows, each with its line feed
//	…                                                 the other tables, those that others refer to first
//	{"kind":"index","name":"users_email","sql":"CREATE INDEX …"}
//	{"end":true}
//
// Rows come in the order of their keys.

// head is a line that is no row.
type head struct {
	Version  int      `json:"plaza_backup,omitempty"`
	Database string   `json:"database,omitempty"`
	Kind     string   `json:"kind,omitempty"`
	Name     string   `json:"name,omitempty"`
	SQL      string   `json:"sql,omitempty"`
	Columns  []string `json:"columns,omitempty"`
	Rows     *int64   `json:"rows,omitempty"`
	SHA256   string   `json:"sha256,omitempty"`
	End      bool     `json:"end,omitempty"`
}

// encoder writes the lines of a file.
type encoder struct {
	line
	zip     *gzip.Writer
	text    *bufio.Writer
	created hash.Hash // of the lines with CREATE statements
}

func newEncoder(w io.Writer) *encoder {
	zip, err := gzip.NewWriterLevel(w, gzip.BestSpeed)
	if err != nil {
		panic(err) // of an invalid level
	}
	return &encoder{zip: zip, text: bufio.NewWriterSize(zip, 1<<16)}
}

func (e *encoder) close() error { return errors.Join(e.text.Flush(), e.zip.Close()) }

func (e *encoder) write(line []byte) error {
	_, err := e.text.Write(line)
	return err
}

func (e *encoder) head(h head) error {
	text, err := json.Marshal(h)
	if err != nil {
		return err
	}
	text = append(text, '\n')
	if h.Kind != "" {
		e.created.Write(text)
	}
	return e.write(text)
}

// line is the buffer of a row's line.
type line struct{ buf []byte }

// row returns the line of a row, valid until the next call.
func (l *line) row(row []any) []byte {
	l.buf = append(l.buf[:0], '[')
	for i, v := range row {
		if i > 0 {
			l.buf = append(l.buf, ',')
		}
		l.buf = appendValue(l.buf, v)
	}
	l.buf = append(l.buf, ']', '\n')
	return l.buf
}

func appendValue(b []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(b, "null"...)
	case int64:
		return strconv.AppendInt(b, v, 10)
	case float64:
		from := len(b)
		b = strconv.AppendFloat(b, v, 'g', -1, 64)
		if !bytes.ContainsAny(b[from:], ".e") { // otherwise it would be parsed as an integer
			b = append(b, ".0"...)
		}
		return b
	case string:
		return appendText(b, v)
	case []byte:
		b = append(b, `{"base64":"`...)
		b = base64.StdEncoding.AppendEncode(b, v)
		return append(b, `"}`...)
	}
	panic(fmt.Sprintf("a value of type %T", v)) // that no database has
}

func appendText(b []byte, s string) []byte {
	plain := utf8.ValidString(s)
	for i := 0; plain && i < len(s); i++ {
		plain = s[i] >= ' ' && s[i] != '"' && s[i] != '\\'
	}
	if plain {
		return append(append(append(b, '"'), s...), '"')
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(s)
	return append(b, bytes.TrimSuffix(text.Bytes(), []byte{'\n'})...)
}

// decodeRow parses the line of a row with at most so many values.
func decodeRow(line []byte, most int) (row []any, err error) {
	rest := bytes.TrimSuffix(line, []byte("]\n"))
	if len(rest) == len(line) || len(rest) < 2 {
		return nil, errors.New("it is no row")
	}
	for rest = rest[1:]; ; rest = rest[1:] {
		var v any
		if v, rest, err = decodeValue(rest); err != nil {
			return nil, err
		}
		if row = append(row, v); len(row) > most {
			return nil, fmt.Errorf("there are more than %d values", most)
		}
		if len(rest) == 0 {
			return row, nil
		}
		if rest[0] != ',' || len(rest) == 1 {
			return nil, errors.New("it is no row")
		}
	}
}

func decodeValue(b []byte) (v any, rest []byte, err error) {
	switch b[0] {
	case '"':
		end := 1
		plain := true
		for ; end < len(b) && b[end] != '"'; end++ {
			if b[end] == '\\' {
				plain = false
				end++
			}
		}
		if end >= len(b) {
			return nil, nil, errors.New("a text without its end")
		}
		if plain {
			return string(b[1:end]), b[end+1:], nil
		}
		var s string
		err = json.Unmarshal(b[:end+1], &s)
		return s, b[end+1:], err
	case '{':
		end := bytes.IndexByte(b, '}')
		var blob struct{ Base64 []byte }
		if end < 0 {
			return nil, nil, errors.New("a blob without its end")
		}
		if err = json.Unmarshal(b[:end+1], &blob); blob.Base64 == nil {
			blob.Base64 = []byte{}
		}
		return blob.Base64, b[end+1:], err
	}
	end := bytes.IndexByte(b, ',')
	if end < 0 {
		end = len(b)
	}
	word := string(b[:end])
	switch {
	case word == "null":
	case strings.ContainsAny(word, ".e"):
		v, err = strconv.ParseFloat(word, 64)
	default:
		v, err = strconv.ParseInt(word, 10, 64)
	}
	return v, b[end:], err
}
