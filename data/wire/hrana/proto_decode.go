package hrana

import (
	"fmt"
	"math"
)

const (
	keyStepResults = 1<<3 | bytesType // BatchResult, a map
	keyStepErrors  = 2<<3 | bytesType
	keyMapKey      = 1<<3 | varintType
	keyMapValue    = 2<<3 | bytesType

	keyCols            = 1<<3 | bytesType // StmtResult
	keyRows            = 2<<3 | bytesType
	keyRowsAffected    = 3<<3 | varintType
	keyLastInsertRowID = 4<<3 | varintType
	keyStmtIndex       = 5<<3 | varintType // not in the specification
	keyRowsRead        = 6<<3 | varintType // not in the specification
	keyRowsWritten     = 7<<3 | varintType // not in the specification
	keyQueryDuration   = 8<<3 | fixed64    // not in the specification

	keyColName = 1<<3 | bytesType // Col
	keyValues  = 1<<3 | bytesType // Row
	keyMessage = 1<<3 | bytesType // Error
	keyCode    = 2<<3 | bytesType
)

// decodeProto reads the answer to the pipeline [batch, close], or with a statement beside the batch (marking). Every element is
// looked at: with HTTP 200 any of them can be an error. Texts of the result are slices of body.
func decodeProto(body string, steps int, as marking) (reply, error) {
	d := protoDecoder{s: body}
	var out reply
	var failed *Error
	elements, requests := 0, requestsOf(as)
	for d.i < len(body) {
		key := d.varint()
		if key != keyResults {
			d.skip(key, len(body))
			continue
		}
		batch, e := d.element(d.open(len(body)), steps)
		if e != nil && failed == nil && !as.spares(elements) {
			failed = e
		}
		out.take(batch)
		elements++
	}
	switch {
	case d.err != nil:
		return reply{}, d.err
	case failed != nil:
		return reply{}, failed
	case elements != requests:
		return reply{}, fmt.Errorf("the server sent %d results for %d requests", elements, requests)
	case len(out.steps) != steps:
		return reply{}, fmt.Errorf("the server answered %d of %d statements", len(out.steps), steps)
	}
	return out, nil
}

// element reads a StreamResult.
func (d *protoDecoder) element(end, steps int) (out reply, failed *Error) {
	found := false
	for d.i < end {
		switch key := d.varint(); key {
		case keyOK:
			out, found = d.response(d.open(end), steps), true
		case keyError:
			failed, found = d.error(d.open(end)), true
		default:
			d.skip(key, end)
		}
	}
	d.close(end)
	if !found {
		d.fail("a result that is neither ok nor an error")
	}
	return out, failed
}

// response reads a StreamResponse down to the batch's result. Of a statement beside the batch it reads the index.
func (d *protoDecoder) response(end, steps int) (out reply) {
	for d.i < end {
		key := d.varint()
		if key != keyBatch && key != keyExecute {
			d.skip(key, end)
			continue
		}
		inner := d.open(end)
		for d.i < inner {
			switch result := d.varint(); {
			case result == keyBatchResult && key == keyBatch:
				out.steps = d.batch(d.open(inner), steps)
			case result == keyExecuteResult && key == keyExecute:
				out.index = d.index(d.open(inner))
			default:
				d.skip(result, inner)
			}
		}
		d.close(inner)
	}
	d.close(end)
	return out
}

// batch reads a BatchResult: maps from steps to results and to errors. A step in neither was skipped.
func (d *protoDecoder) batch(end, steps int) []StepResult {
	out := make([]StepResult, steps)
	for i := range out {
		out[i].Skipped = true
	}
	for d.i < end {
		switch key := d.varint(); key {
		case keyStepResults:
			var r Result
			if step := d.entry(d.open(end), steps, func(end int) { r = d.result(end) }); step >= 0 {
				out[step].Result, out[step].Skipped = r, false
			}
		case keyStepErrors:
			e := &Error{}
			if step := d.entry(d.open(end), steps, func(end int) { e = d.error(end) }); step >= 0 {
				e.Step = step
				out[step].Err, out[step].Skipped = e, false
			}
		default:
			d.skip(key, end)
		}
	}
	d.close(end)
	return out
}

// index reads the replication index of a StmtResult, and skips the rest.
func (d *protoDecoder) index(end int) (index uint64) {
	for d.i < end {
		if key := d.varint(); key == keyStmtIndex {
			index = d.varint()
		} else {
			d.skip(key, end)
		}
	}
	d.close(end)
	return index
}

// entry reads one pair of a map and returns its key, -1 after an error. What is missing is zero.
func (d *protoDecoder) entry(end, steps int, value func(end int)) int {
	step := uint64(0)
	for d.i < end {
		switch key := d.varint(); key {
		case keyMapKey:
			step = d.varint()
		case keyMapValue:
			value(d.open(end))
		default:
			d.skip(key, end)
		}
	}
	d.close(end)
	if step >= uint64(steps) {
		d.fail("an answer to a statement that was not sent")
	}
	if d.err != nil {
		return -1
	}
	return int(step)
}

func (d *protoDecoder) error(end int) *Error {
	e := &Error{Step: -1}
	for d.i < end {
		switch key := d.varint(); key {
		case keyMessage:
			e.Message = d.text(end)
		case keyCode:
			e.Code = d.text(end)
		default:
			d.skip(key, end)
		}
	}
	d.close(end)
	return e
}

func (d *protoDecoder) result(end int) Result {
	var r Result
	for d.i < end {
		switch key := d.varint(); key {
		case keyCols:
			if r.Columns == nil {
				r.Columns = make([]string, 0, d.count(keyCols, end))
			}
			r.Columns = append(r.Columns, d.column(d.open(end)))
		case keyRows:
			if r.cells == nil {
				// A value takes at least four bytes: what is announced without being there costs nothing.
				r.cells = make([]Cell, 0, min(d.count(keyRows, end)*len(r.Columns), max(0, end-d.i)/4+1))
			}
			start := len(r.cells)
			r.cells = d.row(d.open(end), r.cells)
			if r.Count++; (len(r.cells)-start)*r.Count != len(r.cells) {
				d.fail(otherWidth)
			}
		case keyRowsAffected:
			r.RowsAffected = int64(d.varint())
		case keyLastInsertRowID:
			r.LastInsertRowID = unzigzag(d.varint())
		case keyRowsRead:
			r.RowsRead = int64(d.varint())
		case keyRowsWritten:
			r.RowsWritten = int64(d.varint())
		case keyQueryDuration:
			r.Took = took(math.Float64frombits(d.fixed64(end)))
		default:
			d.skip(key, end)
		}
	}
	d.close(end)
	if len(r.cells) != r.Count*len(r.Columns) {
		d.fail(otherWidth)
	}
	r.body = d.s
	return r
}

func (d *protoDecoder) column(end int) string {
	name := ""
	for d.i < end {
		if key := d.varint(); key == keyColName {
			name = d.text(end)
		} else {
			d.skip(key, end)
		}
	}
	d.close(end)
	return name
}

// row appends the values of a row to cells. It reads in place a field whose sizes take a byte each and which holds exactly one value, as
// nearly all do: in Wasm the calls that value needs cost more than the reading.
func (d *protoDecoder) row(end int, cells []Cell) []Cell {
	for d.i < end {
		s := d.s[d.i:end]
		if len(s) >= 4 && s[0] == keyValues && s[1] < 0x80 && s[1] >= 2 && int(s[1])+2 <= len(s) {
			size := int(s[1]) + 2
			switch s[2] {
			case keyText:
				if int(s[3]) == size-4 {
					cells = append(cells, Cell{Kind: Text, at: uint32(d.i + 4), bits: uint64(size - 4)})
					d.i += size
					continue
				}
			case keyInteger:
				var u uint64
				shift, i := 0, 3
				for ; i < size && s[i] >= 0x80; i++ {
					u |= uint64(s[i]&0x7f) << shift
					shift += 7
				}
				if i == size-1 && shift <= 56 {
					cells = append(cells, integerCell(unzigzag(u|uint64(s[i])<<shift)))
					d.i += size
					continue
				}
			case keyNull:
				if size == 4 && s[3] == 0 {
					cells = append(cells, Cell{})
					d.i += size
					continue
				}
			}
		}
		if key := d.varint(); key == keyValues {
			cells = append(cells, d.value(d.open(end)))
		} else {
			d.skip(key, end)
		}
	}
	d.close(end)
	return cells
}

func (d *protoDecoder) value(end int) (c Cell) {
	found := false
	for d.i < end {
		switch key := d.varint(); key {
		case keyNull:
			d.text(end)
			c = Cell{}
		case keyInteger:
			c = integerCell(unzigzag(d.varint()))
		case keyFloat:
			f := math.Float64frombits(d.fixed64(end))
			if math.IsInf(f, 0) || math.IsNaN(f) {
				d.fail("a float that is an infinity")
			}
			c = floatCell(f)
		case keyText, keyBlob:
			kind := Text
			if key == keyBlob {
				kind = Blob
			}
			size := len(d.text(end))
			c = Cell{Kind: kind, at: uint32(d.i - size), bits: uint64(size)}
		default:
			d.skip(key, end)
			continue
		}
		found = true
	}
	d.close(end)
	if !found {
		d.fail("a value of an unknown type")
	}
	return c
}
