package importer

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"plaza/tools/exchange"
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

// badRow is the error of a skipped row.
type badRow struct {
	line   int
	reason string
}

func (b *badRow) Error() string { return fmt.Sprintf("line %d: %s", b.line, b.reason) }

// rows reads a CSV file and continues with the next row after an invalid one. encoding/csv does not: there, an unmatched quote consumes
// everything up to the next.
type rows struct {
	in      *bufio.Reader
	opened  *opened
	back    [][]byte // lines to read again
	line    int      // number of the next line
	column  map[string]int
	lost    bool // after an invalid row, until a valid one
	readErr error
}

func openRows(ctx context.Context, s Source, long bool) (*rows, error) {
	in, err := openSource(ctx, s, long)
	if err != nil {
		return nil, err
	}
	r := &rows{in: bufio.NewReaderSize(in, 64<<10), opened: in, line: 1}
	if bom, _ := r.in.Peek(3); string(bom) == "\ufeff" {
		_, _ = r.in.Discard(3)
	}
	header, err := r.next()
	if err == nil {
		r.column = map[string]int{}
		for i, name := range header.fields {
			r.column[strings.TrimSpace(name)] = i
		}
		err = needColumns(r.column)
	} else if errors.Is(err, io.EOF) {
		err = errors.New("the file is empty")
	}
	if err != nil {
		in.close()
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	return r, nil
}

// readLine returns the next line with its end; nil at the end of the file. It drops the part of a line beyond the limit of a row.
func (r *rows) readLine() []byte {
	if n := len(r.back); n > 0 {
		l := r.back[0]
		r.back = r.back[1:]
		r.line++
		return l
	}
	if r.readErr != nil {
		return nil
	}
	var l []byte
	size := 0
	for err := bufio.ErrBufferFull; errors.Is(err, bufio.ErrBufferFull); {
		var part []byte
		part, err = r.in.ReadSlice('\n')
		l = append(l, part[:min(len(part), maxRowBytes+1-len(l))]...)
		if size += len(part); size > exchange.EndlessLine {
			err = exchange.ErrEndless
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			r.readErr = err
		}
	}
	if len(l) == 0 {
		return nil
	}
	r.line++
	return l
}

// next returns the next row, a *badRow for an invalid one, io.EOF at the end, or the error of the reader.
func (r *rows) next() (row, error) {
	for {
		start := r.line
		var lines [][]byte
		size, quotes := 0, 0
		reason := ""
		for {
			l := r.readLine()
			if l == nil {
				if r.readErr != nil && !errors.Is(r.readErr, io.EOF) {
					return row{}, fmt.Errorf("line %d: %w", r.line, r.readErr)
				}
				if len(lines) == 0 {
					return row{}, io.EOF
				}
				reason = "a quote is opened and never closed"
				break
			}
			if len(lines) == 0 && len(bytes.TrimRight(l, "\r\n")) == 0 {
				start = r.line
				continue
			}
			lines = append(lines, l)
			if size += len(l); len(l) > maxRowBytes {
				reason = fmt.Sprintf("the row is longer than %d bytes", maxRowBytes)
				break
			}
			quotes += bytes.Count(l, []byte{'"'})
			if quotes%2 == 0 {
				break
			}
			if len(lines) >= maxRowLines || size >= maxRowBytes {
				reason = "a quote is opened and not closed within reach"
				break
			}
		}
		var fields []string
		if reason == "" {
			fields, reason = parse(bytes.Join(lines, nil), len(r.column))
		}
		if reason == "" {
			r.lost = false
			return row{start, fields, r.column}, nil
		}
		// Begin again at the line after: the rows after an unmatched quote are valid. Further lines of the invalid row are skipped silently.
		if len(lines) > 1 {
			r.back = append(lines[1:len(lines):len(lines)], r.back...)
			r.line = start + 1
		}
		first := !r.lost
		r.lost = len(lines) > 1 || r.lost
		if first {
			return row{}, &badRow{start, reason}
		}
	}
}

// parse splits one record into n fields, or any number if n is 0; the string is the mistake. (RFC 4180; an encoding/csv reader for every
// record costs more than the rest of the import.)
func parse(record []byte, n int) ([]string, string) {
	rest := strings.TrimRight(string(record), "\r\n")
	fields := make([]string, 0, n)
	for {
		var field string
		more := false
		if strings.HasPrefix(rest, `"`) {
			end := 1
			for ; ; end += 2 {
				i := strings.IndexByte(rest[end:], '"')
				if i < 0 {
					return nil, "not CSV: a quote is opened and never closed"
				}
				if end += i; !strings.HasPrefix(rest[end+1:], `"`) {
					break
				}
			}
			field = strings.ReplaceAll(rest[1:end], `""`, `"`)
			if rest = rest[end+1:]; rest != "" {
				if rest[0] != ',' {
					return nil, "not CSV: text after a closing quote"
				}
				rest, more = rest[1:], true
			}
		} else {
			field, rest, more = strings.Cut(rest, ",")
			if strings.Contains(field, `"`) {
				return nil, "not CSV: a quote inside a field without quotes"
			}
		}
		if fields = append(fields, field); !more {
			break
		}
	}
	if n > 0 && len(fields) != n {
		return nil, fmt.Sprintf("%d fields where the header has %d", len(fields), n)
	}
	return fields, ""
}
