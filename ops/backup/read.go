package backup

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Limits for reading: a small file may unpack to a huge one. A database's response has 10 MB at most; a character may take six bytes here.
const (
	lineMax    = 64 << 20 // bytes of a row's line
	headMax    = 4 << 20  // of any other line
	objectsMax = 10_000   // tables, indexes, triggers and views
)

// reading is the state of reading a file.
type reading struct {
	*Database
	each    func(h *head, row []any) error
	lines   *bufio.Reader
	buf     []byte
	number  int // of the line, from 1
	created statements
	schema  *digest // of the lines of tables, indexes, triggers and views
	tables  int     // that were read
	open    *head   // the table whose rows are read
	rows    int64
	sum     *digest // of its rows
}

// read reads a database's file in the folder dir, and compares it with the manifest: the whole file, the rows of each table, and the
// statements, which must create what their lines name. It calls each with the lines in order: a table, its rows, the line after them with
// their number, and indexes, triggers and views.
func (d *Database) read(ctx context.Context, dir string, each func(h *head, row []any) error) (statements, error) {
	if d.File != filepath.Base(d.File) {
		return nil, fmt.Errorf("the manifest names %q, which is not a file in the folder", d.File)
	}
	file, err := openFile(filepath.Join(dir, d.File))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	sum := newDigest()
	whole := io.TeeReader(bufio.NewReaderSize(io.LimitReader(file, d.Bytes+1), 1<<16), sum)
	zip, err := gzip.NewReader(whole)
	if err != nil {
		return nil, err
	}
	r := &reading{Database: d, each: each, lines: bufio.NewReaderSize(zip, 1<<16), created: statements{}, schema: newDigest()}
	for end := false; !end; {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		line, err := r.line()
		if err != nil {
			return nil, err
		}
		if line[0] == '[' {
			err = r.row(line)
		} else {
			end, err = r.head(line)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", r.number, err)
		}
	}
	// Reads the checksum at the end of the gzip stream.
	if _, err := r.lines.ReadByte(); err == nil {
		return nil, errors.New("there is more behind the end")
	} else if !errors.Is(err, io.EOF) {
		return nil, err
	}
	if r.tables != len(d.Tables) {
		return nil, errNotThose
	}
	if _, err := io.Copy(io.Discard, whole); err != nil {
		return nil, err
	}
	if sum.bytes != d.Bytes || sum.String() != d.SHA256 {
		return nil, errors.New("it is not the file that was written")
	}
	if d.Schema != "" && r.schema.String() != d.Schema {
		return nil, errors.New("its tables, indexes, triggers and views are not made by the statements that were written")
	}
	return r.created, nil
}

var errNotThose = errors.New("it has not the tables and rows that the manifest names")

// line reads the next line, which is valid until the next call.
func (r *reading) line() ([]byte, error) {
	r.buf = r.buf[:0]
	r.number++
	for {
		part, err := r.lines.ReadSlice('\n')
		r.buf = append(r.buf, part...)
		limit := headMax
		if len(r.buf) > 0 && r.buf[0] == '[' {
			limit = lineMax
		}
		switch {
		case len(r.buf) > limit:
			return nil, fmt.Errorf("line %d is longer than %d MB", r.number, limit>>20)
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
	if r.rows++; r.rows > r.Tables[r.tables].Rows {
		return errNotThose
	}
	return r.each(nil, row)
}

// head parses a line that is not a row. end reports whether it is the last.
func (r *reading) head(line []byte) (end bool, err error) {
	var h head
	if err := json.Unmarshal(line, &h); err != nil {
		return false, err
	}
	switch {
	case r.number == 1:
		if h.Version != version || h.Database != r.Name {
			return false, fmt.Errorf("it is not of version %d and of %s", version, r.Name)
		}
		return false, nil
	case r.open != nil:
		// This line may only count rows: a statement in it would be restored unchecked.
		if h.Rows == nil || *h.Rows != r.rows || h.SHA256 != r.sum.String() || h.Kind != "" || h.SQL != "" || h.End {
			return false, fmt.Errorf("the rows of %s are not those that were written", r.open.Name)
		}
		if h.Name = r.open.Name; (Table{h.Name, r.rows, h.SHA256}) != r.Tables[r.tables] {
			return false, errNotThose
		}
		r.tables, r.open = r.tables+1, nil
		return false, r.each(&h, nil)
	case h.End:
		return true, nil
	case h.Kind == "", h.Rows != nil:
		return false, errors.New("unknown")
	}
	if err := r.created.add(h); err != nil {
		return false, err
	}
	r.schema.Write(line)
	if h.Kind == "table" {
		if r.tables >= len(r.Tables) || r.Tables[r.tables].Name != h.Name {
			return false, errNotThose
		}
		r.open, r.rows, r.sum = &h, 0, newDigest()
	}
	return false, r.each(&h, nil)
}

// openFile opens a regular file: a pipe or a device may have no end.
func openFile(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is no file", path)
	}
	if err != nil {
		return nil, err
	}
	return os.Open(path)
}

// readFile reads a file of at most limit bytes.
func readFile(path string, limit int64) ([]byte, error) {
	file, err := openFile(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err == nil && int64(len(text)) > limit {
		err = fmt.Errorf("%s is longer than %d MB", path, limit>>20)
	}
	return text, err
}
