package hrana

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEncodeProto(t *testing.T) {
	t.Run("a request has the bytes of the schema", func(t *testing.T) {
		steps := []Step{
			{Stmt: Stmt{SQL: "a", Args: []any{nil, true, 7, int64(math.MinInt64), -0.5, "é", []byte{1}, []byte(nil)}}},
			{Stmt: Stmt{SQL: "b", Named: []Named{{"x", 7}}}, If: And(IfOK(0), Not(Or(IfError(0))))},
		}
		body := appendProto(nil, steps)
		args := "\x1a\x02\x0a\x00" + "\x1a\x02\x10\x02" + "\x1a\x02\x10\x0e" + "\x1a\x0b\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01" +
			"\x1a\x09\x19\x00\x00\x00\x00\x00\x00\xe0\xbf" + "\x1a\x04\x22\x02é" + "\x1a\x03\x2a\x01\x01" + "\x1a\x02\x2a\x00"
		cond := "\x22\x0e" + "\x0a\x02\x08\x00" + "\x0a\x08\x1a\x06\x2a\x04" + "\x0a\x02\x10\x00"
		stmt := "\x0a\x01a" + args
		first := "\x12" + string(rune(len(stmt))) + stmt
		second := "\x0a" + string(rune(len(cond))) + cond + "\x12\x0c\x0a\x01b" + "\x22\x07\x0a\x01x\x12\x02\x10\x0e"
		all := "\x0a" + string(rune(len(first))) + first + "\x0a" + string(rune(len(second))) + second
		all = "\x0a" + string(rune(len(all))) + all
		all = "\x1a" + string(rune(len(all))) + all
		assert.Equal(t, "\x12"+string(rune(len(all)))+all+"\x12\x02\x0a\x00", string(body))
	})
	t.Run("the size is known before: one allocation, filled to the last byte", func(t *testing.T) {
		steps := []Step{{Stmt: Stmt{SQL: strings.Repeat("x", 20_000), Args: []any{1, "x", 1.5, []byte("blob"), int64(-1) << 40}}},
			{Stmt: Stmt{SQL: "y"}, If: Or(IfOK(0), IfError(0))},
			{Stmt: Stmt{SQL: "z", Named: []Named{{"a", nil}, {strings.Repeat("n", 200), "text"}}}}}
		body := appendProto(nil, steps)
		d := protoDecoder{s: string(body)}
		assert.Equal(t, uint64(keyRequests), d.varint())
		assert.Equal(t, len(body)-4, d.open(len(body)))
		assert.Equal(t, 1.0, testing.AllocsPerRun(100, func() { appendProto(nil, steps) }))
	})
}

func TestDecodeProto(t *testing.T) {
	null := field(keyValues, field(keyNull))
	value := func(v ...byte) []byte { return field(keyValues, v) }
	result := func(content ...[]byte) []byte {
		batch := field(keyStepResults, number(keyMapKey, 0), field(keyMapValue, content...))
		return append(field(keyResults, field(keyOK, field(keyBatch, field(keyBatchResult, batch)))),
			field(keyResults, field(keyOK, field(keyClose)))...)
	}
	col := field(keyCols, field(keyColName, []byte("a")))

	t.Run("unknown fields of every kind are passed over, fields may come in any order", func(t *testing.T) {
		unknown := []byte("\xf8\x07\x80\x01" + "\xfa\x07\x03abc" + "\xf9\x0712345678" + "\xfd\x071234" + "\x28\x05")
		out, err := stepsInProto(string(unknown)+string(result(unknown, field(keyRows, unknown, value(append(unknown, keyInteger, 3)...)),
			number(keyRowsRead, 9),
			field(keyCols, unknown, field(2<<3|bytesType, []byte("INT"))), unknown))+string(unknown), 1)
		require.NoError(t, err)
		sameSteps(t, []StepResult{{Result: Result{Columns: []string{""}, Table: TableOf([]any{int64(-2)}), RowsRead: 9}}}, out)
	})
	t.Run("a map entry that leaves out its zero key and its empty value is both", func(t *testing.T) {
		out, err := stepsInProto(string(field(keyResults, field(keyOK, field(keyBatch, field(keyBatchResult, field(keyStepResults))))))+
			string(field(keyResults, field(keyOK))), 2)
		require.NoError(t, err)
		assert.Equal(t, []StepResult{{}, {Skipped: true}}, out)
	})
	refused := map[string]struct {
		body []byte
		says string
	}{
		"a value of an unknown type":  {result(col, field(keyRows, value(number(9<<3, 1)...))), "unknown type"},
		"an empty value":              {result(col, field(keyRows, value())), "unknown type"},
		"a row with a value too many": {result(col, field(keyRows, null, null)), "than columns"},
		"a row with a value too few":  {result(col, field(keyRows)), "than columns"},
		"an infinity": {result(col,
			field(keyRows, value(append([]byte{keyFloat}, "\x00\x00\x00\x00\x00\x00\xf0\x7f"...)...))), "infinity"},
		"a float that is cut off":          {result(col, field(keyRows, value(keyFloat, 1, 2))), "cut off"},
		"a varint of eleven bytes":         {result([]byte("\x18\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01")), "without end"},
		"a varint of 65 bits":              {result([]byte("\x18\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02")), "without end"},
		"a varint that leaves its message": {result([]byte("\x18\xff")), "longer than"},
		"a text that leaves its message":   {result(col, field(keyRows, value(keyText, 40, 'x'))), "longer than"},
		"a size of 2^63":                   {[]byte("\x1a\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01"), "longer than"},
		"a group":                          {[]byte("\x0b\x0c"), "unknown kind"},
		"an answer to another statement": {field(keyResults,
			field(keyOK, field(keyBatch, field(keyBatchResult, field(keyStepResults, number(keyMapKey, 1)))))), "not sent"},
		"neither ok nor an error": {field(keyResults), "neither ok nor an error"},
		"a web page":              {[]byte("<html>"), "cannot read"},
		"JSON":                    {[]byte(`{"results":[]}`), "cannot read"},
	}
	for name, tt := range refused {
		t.Run(name+" is refused", func(t *testing.T) {
			_, err := stepsInProto(string(tt.body), 1)
			assert.ErrorContains(t, err, tt.says)
		})
	}
	t.Run("an error of the close is the error of all", func(t *testing.T) {
		batch := result()
		batch = batch[:len(batch)-len(field(keyResults, field(keyOK, field(keyClose))))]
		_, err := stepsInProto(string(batch)+string(field(keyResults, field(keyError, protoError(&Error{Message: "cannot close"})))), 1)
		assert.ErrorContains(t, err, "cannot close")
		_, err = stepsInProto(string(batch), 1)
		assert.ErrorContains(t, err, "1 results for 2 requests")
	})
	t.Run("an answer cut off anywhere is an error", func(t *testing.T) {
		body := InProto(page(2, 9))
		for n := range len(body) {
			_, err := stepsInProto(body[:n], 1)
			require.Error(t, err, "%d of %d bytes", n, len(body))
		}
	})
	t.Run("rows and columns that are announced but not there take no memory", func(t *testing.T) {
		cols := strings.Repeat("\x0a\x00", 20_000)
		rows := strings.Repeat("\x12\x00", 20_000)
		_, err := stepsInProto(string(result([]byte(cols+rows))), 1)
		assert.ErrorContains(t, err, "than columns")
	})
}

func TestDecodesBothEncodingsAlike(t *testing.T) {
	body := page(25, 24)
	want, err := stepsInJSON(body, 1)
	require.NoError(t, err)
	got, err := stepsInProto(InProto(body), 1)
	require.NoError(t, err)
	sameSteps(t, want, got)
}

func FuzzDecodeProto(f *testing.F) {
	f.Add([]byte(InProto(page(2, 8))))
	f.Add(protoAnswer([]StepResult{{Err: &Error{Message: "UNIQUE constraint failed: t.a", Code: "SQLITE_CONSTRAINT"}}, {Skipped: true}}, nil))
	f.Add(protoAnswer(nil, &Error{Message: "no", Code: "SQL_PARSE_ERROR"}))
	f.Add([]byte("\xfa\x07\x03abc\xf9\x0712345678\xfd\x071234"))
	f.Fuzz(func(t *testing.T, body []byte) {
		for steps := 1; steps <= 3; steps++ {
			out, err := stepsInProto(string(body), steps)
			if err != nil {
				continue
			}
			require.Len(t, out, steps)
			for i := range out {
				if out[i].Err != nil {
					require.Equal(t, i, out[i].Err.Step)
					out[i].Result = Result{}
				}
				for _, row := range out[i].Result.Rows() {
					require.Len(t, row, len(out[i].Result.Columns))
				}
			}
			again, err := stepsInProto(string(protoAnswer(out, nil)), steps)
			require.NoError(t, err)
			sameSteps(t, out, again)
		}
	})
}
