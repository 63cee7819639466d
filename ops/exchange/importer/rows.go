package importer

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"plaza/ops/exchange"
)

// Limits of one row. Otherwise a quote without an end would include the rest of the file.
const (
	maxRowLines = 2000
	maxRowBytes = 1 << 20
)

// row is a record of a CSV file with a header.
type row struct {
	line   int
	fields []string
	column map[string]int
}

func (r row) get(name string) string {
	if i, ok := r.column[name]; ok {
		return r.fields[i]
	}
	return ""
}

// rows reads a CSV file and continues after a broken row. encoding/csv does not: an unmatched quote extends the row to the next quote.
type rows struct {
	in     *bufio.Reader
	unread [][]byte // lines to be read again
	line   int      // number of the next line
	column map[string]int
	broken bool          // after a broken row, until the next valid one
	record *bufio.Reader // one row, for csv
	csv    *csv.Reader
}

// needed are the columns that every file of this format has.
var needed = []string{"id", "title", "created_utc", "ups", "downs"}

func openRows(in io.Reader) (*rows, error) {
	r := &rows{in: bufio.NewReaderSize(in, 64<<10), line: 1, record: bufio.NewReader(nil)}
	r.csv = csv.NewReader(r.record) // for all rows: one for each row would cost more than the rest of the import
	r.csv.FieldsPerRecord = -1
	if bom, _ := r.in.Peek(3); string(bom) == "\ufeff" {
		_, _ = r.in.Discard(3)
	}
	header, err := r.next()
	var bad *exchange.LineError
	switch {
	case errors.Is(err, io.EOF):
		return nil, errors.New("the file is empty")
	case errors.As(err, &bad):
		return nil, fmt.Errorf("line %d: %w", header.line, err)
	case err != nil:
		return nil, err
	}
	r.column = map[string]int{}
	for i, name := range header.fields {
		r.column[strings.TrimSpace(name)] = i
	}
	for _, name := range needed {
		if _, ok := r.column[name]; !ok {
			return nil, fmt.Errorf("the first line is not the header of this format: it has no column %q", name)
		}
	}
	return r, nil
}

// readLine returns the next line with its line feed, but at most maxRowBytes+1 bytes of it.
func (r *rows) readLine() (l []byte, err error) {
	if len(r.unread) > 0 {
		l, r.unread = r.unread[0], r.unread[1:]
	} else if l, err = exchange.ReadLine(r.in, nil, maxRowBytes); err != nil {
		return nil, err
	}
	r.line++
	return l, nil
}

// next returns the next row. The error is an *exchange.LineError for a broken row (with its line), io.EOF at the end, or an error of the
// reader.
func (r *rows) next() (row, error) {
	for {
		start, reason := r.line, ""
		var lines [][]byte
		size, quotes := 0, 0
		for reason == "" && (len(lines) == 0 || quotes%2 == 1) {
			l, err := r.readLine()
			switch {
			case errors.Is(err, io.EOF) && len(lines) > 0:
				reason = "a quote is opened and never closed"
				continue
			case errors.Is(err, io.EOF):
				return row{}, io.EOF
			case err != nil:
				return row{}, fmt.Errorf("line %d: %w", r.line, err)
			case len(lines) == 0 && len(bytes.TrimRight(l, "\r\n")) == 0:
				start = r.line
				continue
			}
			lines, size, quotes = append(lines, l), size+len(l), quotes+bytes.Count(l, []byte{'"'})
			switch {
			case len(l) > maxRowBytes:
				reason = fmt.Sprintf("the row is longer than %d bytes", maxRowBytes)
			case quotes%2 == 1 && (len(lines) >= maxRowLines || size >= maxRowBytes):
				reason = "a quote is opened and not closed within reach"
			}
		}
		var fields []string
		if reason == "" {
			fields, reason = r.parse(bytes.Join(lines, nil))
		}
		if reason == "" {
			r.broken = false
			return row{start, fields, r.column}, nil
		}
		// Begin again at the line after: rows after an unmatched quote may be valid. Further lines of the broken row are skipped silently.
		if len(lines) > 1 {
			r.unread = append(lines[1:len(lines):len(lines)], r.unread...)
			r.line = start + 1
		}
		first := !r.broken
		r.broken = len(lines) > 1 || r.broken
		if first {
			return row{line: start}, &exchange.LineError{Reason: reason}
		}
	}
}

// parse splits a record into fields. reason says why it can't, or is "".
func (r *rows) parse(record []byte) (fields []string, reason string) {
	r.record.Reset(bytes.NewReader(bytes.TrimRight(record, "\r\n")))
	fields, err := r.csv.Read()
	switch {
	case errors.Is(err, csv.ErrBareQuote):
		return nil, "not CSV: a quote inside a field without quotes"
	case err != nil:
		return nil, "not CSV: text after a closing quote"
	case r.column != nil && len(fields) != len(r.column):
		return nil, fmt.Sprintf("%d fields where the header has %d", len(fields), len(r.column))
	}
	return fields, ""
}

// post reads the row of a submission. fallback is the community of rows without one.
func (r *rows) post(fallback string) (any, bool, int, error) {
	row, err := r.next()
	if err != nil {
		return nil, false, row.line, err
	}
	item, changed, err := exchange.DecodeRedditRow(row.get)
	if err != nil {
		return nil, false, row.line, err
	}
	p, ok := item.(exchange.Post)
	switch {
	case !ok:
		err = exchange.LineErrorf("it has a link_id, which posts have not")
	case communityName.MatchString(p.Community):
	case fallback == "":
		err = exchange.LineErrorf("neither the permalink nor the file's name tells the community")
	default:
		p.Community = fallback
	}
	return p, changed, row.line, err
}

// communityOfFile returns the community in a file's name, as golang in dir/golang.csv.gz; "" if it is not a valid name.
func communityOfFile(name string) string {
	name, _, _ = strings.Cut(path.Base(name), ".")
	if communityName.MatchString(name) {
		return name
	}
	return ""
}
