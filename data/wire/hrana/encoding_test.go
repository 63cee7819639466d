package hrana

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func field(key byte, content ...[]byte) []byte {
	var all []byte
	for _, c := range content {
		all = append(all, c...)
	}
	return append(appendKey(nil, key, len(all)), all...)
}

func number(key byte, v uint64) []byte { return binary.AppendUvarint([]byte{key}, v) }

func protoError(e *Error) []byte {
	return append(field(keyMessage, []byte(e.Message)), field(keyCode, []byte(e.Code))...)
}

func protoResult(r *Result) []byte {
	var b []byte
	for _, c := range r.Columns {
		b = append(b, field(keyCols, field(keyColName, []byte(c)), field(2<<3|bytesType, []byte("TEXT")))...)
	}
	for _, row := range r.Rows() {
		var values []byte
		for _, v := range row {
			values = append(values, field(keyValues, appendValueProto(nil, v))...)
		}
		b = append(b, field(keyRows, values)...)
	}
	b = append(b, number(keyRowsAffected, uint64(r.RowsAffected))...)
	b = append(b, number(keyLastInsertRowID, zigzag(r.LastInsertRowID))...)
	b = append(b, number(5<<3|varintType, 4711)...) // replication_index
	b = append(b, number(keyRowsRead, uint64(r.RowsRead))...)
	b = append(b, number(keyRowsWritten, uint64(r.RowsWritten))...)
	return binary.LittleEndian.AppendUint64(append(b, keyQueryDuration), math.Float64bits(float64(r.Took)/float64(time.Millisecond)))
}

// protoAnswer writes what the server would. The maps are written backwards: their order means nothing.
func protoAnswer(out []StepResult, failed *Error) []byte {
	if failed != nil {
		return append(field(keyResults, field(keyError, protoError(failed))), field(keyResults, field(keyOK, field(keyClose)))...)
	}
	var batch []byte
	for i := len(out) - 1; i >= 0; i-- {
		if out[i].Err != nil {
			batch = append(batch, field(keyStepErrors, number(keyMapKey, uint64(i)), field(keyMapValue, protoError(out[i].Err)))...)
		} else if !out[i].Skipped {
			batch = append(batch, field(keyStepResults, number(keyMapKey, uint64(i)), field(keyMapValue, protoResult(&out[i].Result)))...)
		}
	}
	return append(field(keyResults, field(keyOK, field(keyBatch, field(keyBatchResult, batch)))),
		field(keyResults, field(keyOK, field(keyClose)))...)
}

// page is the JSON answer to a listing.
func page(rows, cols int) string {
	var b strings.Builder
	b.WriteString(`{"step_results":[{"cols":[`)
	for c := range cols {
		b.WriteString(comma(c))
		fmt.Fprintf(&b, []string{`{"name":"column_%d","decltype":"TEXT"}`, `{"name":"column_%d","decltype":null}`,
			`{"name":"column_%d","decltype":"a \"type\""}`, `{"name":"the \"column\" %d","decltype":"TEXT"}`,
			`{"decltype":"TEXT","name":"column_%d"}`}[c%5], c)
	}
	b.WriteString(`],"rows":[`)
	for r := range rows {
		b.WriteString(comma(r) + "[")
		for c := range cols {
			b.WriteString(comma(c))
			switch c % 8 {
			case 0:
				fmt.Fprintf(&b, `{"type":"integer","value":"%d"}`, 123456789012345+r)
			case 1:
				b.WriteString(`{"type":"text","value":"A title of the length that titles usually have, or so"}`)
			case 2:
				fmt.Fprintf(&b, `{"type":"integer","value":"%d"}`, r)
			case 3:
				b.WriteString(`{"type":"text","value":"Says \"go\",\nin é"}`)
			case 4:
				b.WriteString(`{"type":"null"}`)
			case 5:
				fmt.Fprintf(&b, `{"type":"integer","value":"%d"}`, 1700000000000+r)
			case 6:
				fmt.Fprintf(&b, `{"type":"float","value":%d.25}`, r)
			case 7:
				b.WriteString(`{"type":"integer","value":"0"}`)
			}
		}
		b.WriteString("]")
	}
	return answer(b.String() + `],"affected_row_count":0,"last_insert_rowid":null,"replication_index":null,"rows_read":25,"rows_written":0,` +
		`"query_duration_ms":0.36}],"step_errors":[null],"replication_index":"4"}`)
}

func comma(i int) string {
	if i == 0 {
		return ""
	}
	return ","
}

// The values of a page take memory once, not one by one. The race detector takes one more.
func TestDecodingAllocatesPerAnswer(t *testing.T) {
	listing := page(25, 24)
	inProto := InProto(listing)
	require.LessOrEqual(t, testing.AllocsPerRun(20, func() { _, _ = stepsInProto(inProto, 1) }), 4.0)
	// Five of its columns have names with escapes. Texts with escapes lie in memory that grows.
	require.LessOrEqual(t, testing.AllocsPerRun(20, func() { _, _ = stepsInJSON(listing, 1) }), 30.0)
}

// A compact copy has the same values, and takes memory of the size of its own texts.
func TestCompact(t *testing.T) {
	for _, body := range []string{page(25, 24), page(0, 24), page(1, 1)} {
		inProto := InProto(body)
		for _, decode := range []func() ([]StepResult, error){
			func() ([]StepResult, error) { return stepsInJSON(body, 1) },
			func() ([]StepResult, error) { return stepsInProto(inProto, 1) },
		} {
			steps, err := decode()
			require.NoError(t, err)
			of := steps[0].Result.Table
			small := of.Compact()
			require.Equal(t, of.Rows(), small.Rows())
			length := 0
			for _, row := range of.Rows() {
				for _, value := range row {
					if text, ok := value.(string); ok {
						length += len(text)
					}
				}
			}
			require.Len(t, small.body, length)
			require.Empty(t, small.escaped)
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	listing := page(25, 24)
	for _, bb := range []struct {
		name, body string
		decode     func(string, int) ([]StepResult, error)
	}{
		{"protobuf", InProto(listing), stepsInProto},
		{"JSON", listing, stepsInJSON},
		{"encoding|json", listing, func(body string, _ int) ([]StepResult, error) { return slowDecode(body) }},
	} {
		b.Run(bb.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(bb.body)))
			for b.Loop() {
				if _, err := bb.decode(bb.body, 1); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkEncode(b *testing.B) {
	steps := make([]Step, 5)
	for i := range steps {
		steps[i].Stmt = Stmt{SQL: strings.Repeat("SELECT id, title FROM posts WHERE community = ?1 ", 10),
			Args: []any{int64(123456789012345), "golang", 0.5, "A body with some \"text\"\nin two lines"}}
	}
	for _, e := range []*encoding{inProtobuf, inJSON} {
		b.Run(e.contentType, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				e.append(nil, steps)
			}
		})
	}
}

// FuzzEncodings decodes the same answer from both encodings.
func FuzzEncodings(f *testing.F) {
	f.Add(int64(math.MinInt64), 0.5, "text", []byte("blob"), "code", uint8(0))
	f.Add(int64(-1), math.Copysign(0, -1), "", []byte(nil), "", uint8(1))
	f.Add(int64(1<<53+1), math.MaxFloat64, "é\x00\"", []byte{0}, "SQLITE_BUSY", uint8(2))
	f.Fuzz(func(t *testing.T, n int64, x float64, text string, blob []byte, code string, what uint8) {
		text, code = strings.ToValidUTF8(text, "?"), strings.ToValidUTF8(code, "?")
		row := []any{n, x, text, append([]byte{}, blob...), nil}
		if math.IsNaN(x) || math.IsInf(x, 0) {
			row[1] = nil
		}
		want := []StepResult{{Skipped: true}, {Result: Result{Columns: []string{text, "", code, "d", "e"}, Table: TableOf(row, row),
			RowsAffected: int64(what), LastInsertRowID: n, RowsRead: int64(len(text)), RowsWritten: int64(len(code))}}}
		if what%2 == 1 {
			want = append(want, StepResult{Err: &Error{Step: 2, Message: text, Code: code}})
		}
		out, err := stepsInProto(string(protoAnswer(want, nil)), len(want))
		require.NoError(t, err)
		sameSteps(t, want, out)

		request := appendJSON(nil, []Step{{Stmt: Stmt{SQL: text, Args: row}}})
		values := string(request[strings.LastIndex(string(request), `"args":[`)+len(`"args":`) : len(request)-len(`}}]}},{"type":"close"}]}`)])
		d := newDecoder("[" + values + "]")
		table := d.rows()
		table.escaped = d.escaped.String()
		require.Equal(t, [][]any{row}, table.Rows())
		require.NoError(t, d.Err)
	})
}
