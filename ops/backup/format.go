package backup

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The file of a database is gzipped text with a JSON value on each line:
//
//	{"plaza_backup":1,"database":"directory"}
//	{"kind":"table","name":"users","sql":"CREATE TABLE users (…)","columns":["id","username",…]}
//	[117861310376447680,"ann",…]                      a row: integers, numbers with a point or an exponent for REAL,
//	                                                  texts, null, {"base64":"…"}
//	{"rows":1,"sha256":"…"}                           of the table's lines of rows, each with its line feed
//	…                                                 the other tables, each after those that it refers to
//	{"kind":"index","name":"users_email","sql":"CREATE INDEX …"}
//	{"end":true}
//
// Rows come in the order of their keys.

// head is a line that is not a row.
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

// digest is the SHA-256 and the length of what is written into it.
type digest struct {
	hash.Hash
	bytes int64
}

func newDigest() *digest { return &digest{Hash: sha256.New()} }

func (d *digest) Write(b []byte) (int, error) {
	d.bytes += int64(len(b))
	return d.Hash.Write(b)
}

func (d *digest) String() string { return hex.EncodeToString(d.Sum(nil)) }

type encoder struct {
	*gzip.Writer
	created *digest // of the lines of tables, indexes, triggers and views
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
	_, err = e.Write(text)
	return err
}

func appendRow(b []byte, row []any) []byte {
	b = append(b, '[')
	for i, v := range row {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendValue(b, v)
	}
	return append(b, "]\n"...)
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
	panic(fmt.Sprintf("a value of type %T", v)) // a database has no others
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
	lines := json.NewEncoder(&text)
	lines.SetEscapeHTML(false)
	_ = lines.Encode(s)
	return append(b, bytes.TrimSuffix(text.Bytes(), []byte{'\n'})...)
}

var errNoRow = errors.New("it is not a row")

// decodeRow parses the line of a row with at most limit values. It splits at commas: encoding/json takes three times as long.
func decodeRow(line []byte, limit int) (row []any, err error) {
	rest, whole := bytes.CutSuffix(line, []byte("]\n"))
	if !whole || len(rest) < 2 || rest[0] != '[' {
		return nil, errNoRow
	}
	from, inText := 1, false
	for at := 1; at <= len(rest); at++ {
		switch {
		case at < len(rest) && rest[at] == '\\':
			at++
		case at < len(rest) && rest[at] == '"':
			inText = !inText
		case at == len(rest) || rest[at] == ',' && !inText:
			if len(row) == limit {
				return nil, fmt.Errorf("there are more than %d values", limit)
			}
			v, err := decodeValue(string(rest[from:at]))
			if err != nil {
				return nil, err
			}
			row, from = append(row, v), at+1
		}
	}
	if from <= len(rest) {
		return nil, errNoRow
	}
	return row, nil
}

func decodeValue(word string) (any, error) {
	switch {
	case word == "null":
		return nil, nil
	case strings.HasPrefix(word, `"`) && strings.HasSuffix(word, `"`) && strings.Count(word, `"`) == 2 && !strings.Contains(word, `\`):
		return word[1 : len(word)-1], nil
	case strings.HasPrefix(word, `"`):
		var text string
		err := json.Unmarshal([]byte(word), &text)
		return text, err
	case strings.HasPrefix(word, "{"):
		var blob struct{ Base64 []byte }
		err := json.Unmarshal([]byte(word), &blob)
		return append([]byte{}, blob.Base64...), err
	case strings.ContainsAny(word, ".e"):
		return strconv.ParseFloat(word, 64)
	}
	return strconv.ParseInt(word, 10, 64)
}
