package backup

import (
	"bufio"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
)

// Limits of what is read: a small file can decompress to any size. A database returns 10 MB at most, in which a character may take six
// bytes.
const (
	lineMax    = 64 << 20 // bytes of a row's line
	headMax    = 4 << 20  // of any other line
	objectsMax = 10_000   // tables, indexes, triggers and views
)

// visitor is called with the content of a file, in its order. Each of its functions may be nil.
type visitor struct {
	table  func(h head) error // a table begins
	row    func(row []any) error
	end    func(t Table) error // the table's rows were correct
	object func(h head) error
}

// contents are the results of read.
type contents struct {
	schema  string // SHA-256 of the lines of tables, indexes, triggers and views
	created statements
}

// reading is the state of reading a file.
type reading struct {
	visitor
	database string
	want     []Table // in the manifest
	lines    *bufio.Reader
	buf      []byte
	number   int // of the line, from 1
	created  statements
	schema   hash.Hash
	tables   []Table // that were read
	open     *head   // the table of the following rows
	rows     int64
	sum      hash.Hash // of these
}

// read reads a database's file. It compares every table's rows with their sum, and the tables with the manifest, and each statement must
// make the object that its line names. It reads a line at a time, and ends with the context.
func read(ctx context.Context, in io.Reader, d *Database, v visitor) (*contents, error) {
	zip, err := gzip.NewReader(in)
	if err != nil {
		return nil, err
	}
	r := &reading{visitor: v, database: d.Name, want: d.Tables, lines: bufio.NewReaderSize(zip, 1<<16), created: statements{},
		schema: sha256.New(), sum: sha256.New()}
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		line, err := r.line()
		if err != nil {
			return nil, err
		}
		end := false
		if line[0] == '[' {
			err = r.row(line)
		} else {
			end, err = r.head(line)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", r.number, err)
		}
		if end {
			break
		}
	}
	// Reads the checksum at the end of the gzip stream.
	if _, err := r.lines.ReadByte(); err == nil {
		return nil, errors.New("there is more behind the end")
	} else if !errors.Is(err, io.EOF) {
		return nil, err
	}
	if len(r.tables) != len(r.want) {
		return nil, errNotThose
	}
	return &contents{hexOf(r.schema), r.created}, nil
}

var errNotThose = errors.New("it has not the tables and rows that the manifest names")

// line reads the next line, which is valid until the next call.
func (r *reading) line() ([]byte, error) {
	r.buf = r.buf[:0]
	r.number++
	for {
		part, err := r.lines.ReadSlice('\n')
		r.buf = append(r.buf, part...)
		most := headMax
		if len(r.buf) > 0 && r.buf[0] == '[' {
			most = lineMax
		}
		switch {
		case len(r.buf) > most:
			return nil, fmt.Errorf("line %d is longer than %d MB", r.number, most>>20)
		case err == nil:
			return r.buf, nil
		case errors.Is(err, io.EOF):
			return nil, io.ErrUnexpectedEOF
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
}

func (r *reading) row(line []byte) error {
	if r.open == nil {
		return errors.New("a row outside of a table")
	}
	row, err := decodeRow(line, len(r.open.Columns))
	if err != nil {
		return err
	}
	if len(row) != len(r.open.Columns) {
		return fmt.Errorf("%d values for %d columns", len(row), len(r.open.Columns))
	}
	r.sum.Write(line)
	if r.rows++; r.rows > r.want[len(r.tables)].Rows {
		return errNotThose
	}
	if r.visitor.row == nil {
		return nil
	}
	return r.visitor.row(row)
}

// head parses a line that is no row. end reports whether it is the last.
func (r *reading) head(line []byte) (end bool, err error) {
	var h head
	if err := json.Unmarshal(line, &h); err != nil {
		return false, err
	}
	switch {
	case r.number == 1:
		if h.Version != version || h.Database != r.database {
			return false, fmt.Errorf("it is not of version %d and of %s", version, r.database)
		}
		return false, nil
	case r.open != nil:
		return false, r.endTable(h)
	case h.End:
		return true, nil
	case h.Kind == "":
		return false, errors.New("unknown")
	}
	if err := r.created.add(h); err != nil {
		return false, err
	}
	r.schema.Write(line)
	if h.Kind != "table" {
		if r.object == nil {
			return false, nil
		}
		return false, r.object(h)
	}
	if n := len(r.tables); n >= len(r.want) || r.want[n].Name != h.Name {
		return false, errNotThose
	}
	r.open, r.rows = &h, 0
	r.sum.Reset()
	if r.table == nil {
		return false, nil
	}
	return false, r.table(h)
}

// endTable compares the rows of a table with the number and checksum behind them, and with the manifest.
func (r *reading) endTable(h head) error {
	if h.Rows == nil || *h.Rows != r.rows || h.SHA256 != hexOf(r.sum) {
		return fmt.Errorf("the rows of %s are not those that were written", r.open.Name)
	}
	t := Table{r.open.Name, r.rows, h.SHA256}
	if t != r.want[len(r.tables)] {
		return errNotThose
	}
	r.tables, r.open = append(r.tables, t), nil
	if r.end == nil {
		return nil
	}
	return r.end(t)
}
