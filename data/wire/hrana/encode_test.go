package hrana

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEncode(t *testing.T) {
	t.Run("a request is the one that encoding/json would read back", func(t *testing.T) {
		every := make([]rune, 0, 0x300)
		for r := range rune(0x300) {
			every = append(every, r)
		}
		text := string(every) + "\u2028\U0001f600"
		body := encode([]Step{
			{Stmt: Stmt{SQL: "SELECT '" + text, Args: []any{nil, true, 7, int64(math.MinInt64), 1e300, -0.5, text, []byte{1}}}},
			{Stmt: Stmt{SQL: "b"}, If: And(IfOK(0), Not(Or(IfError(0))))},
			{Stmt: Stmt{SQL: "c", Named: []Named{{"one", int64(1 << 60)}, {text, nil}}}},
		}, frame{})
		var got any
		require.NoError(t, json.Unmarshal(body, &got), "%s", body)
		type m = map[string]any
		want := m{"baton": nil, "requests": []any{m{"type": "batch", "batch": m{"steps": []any{
			m{"stmt": m{"sql": "SELECT '" + text, "args": []any{m{"type": "null"}, m{"type": "integer", "value": "1"},
				m{"type": "integer", "value": "7"}, m{"type": "integer", "value": "-9223372036854775808"},
				m{"type": "float", "value": 1e300}, m{"type": "float", "value": -0.5}, m{"type": "text", "value": text},
				m{"type": "blob", "base64": "AQ"}}}},
			m{"stmt": m{"sql": "b"}, "condition": m{"type": "and", "conds": []any{m{"type": "ok", "step": 0.0},
				m{"type": "not", "cond": m{"type": "or", "conds": []any{m{"type": "error", "step": 0.0}}}}}}},
			m{"stmt": m{"sql": "c", "named_args": []any{m{"name": "one", "value": m{"type": "integer", "value": "1152921504606846976"}},
				m{"name": text, "value": m{"type": "null"}}}}},
		}}}, m{"type": "close"}}}
		assert.Equal(t, want, got)
	})
	t.Run("a request says which stream it goes on with, whether that stays, and whether the index is asked for", func(t *testing.T) {
		steps := []Step{{Stmt: Stmt{SQL: "a"}}}
		const batch = `{"type":"batch","batch":{"steps":[{"stmt":{"sql":"a"}}]}}`
		for in, want := range map[frame]string{
			{}:                         `{"baton":null,"requests":[` + batch + `,{"type":"close"}]}`,
			{ahead: true}:              `{"baton":null,"requests":[{"type":"execute","stmt":{"sql":"SELECT 1"}},` + batch + `,{"type":"close"}]}`,
			{baton: `"`, stays: true}:  `{"baton":"\"","requests":[` + batch + `,{"type":"get_autocommit"}]}`,
			{baton: "b", stays: false}: `{"baton":"b","requests":[` + batch + `,{"type":"close"}]}`,
		} {
			assert.Equal(t, want, string(encode(steps, in)))
		}
	})
	t.Run("the size is guessed well enough to grow rarely", func(t *testing.T) {
		steps := []Step{{Stmt: Stmt{SQL: "SELECT 1", Args: []any{1, "x", 1.5, []byte("blob")}}},
			{Stmt: Stmt{SQL: "SELECT 2", Named: []Named{{"a_name", int64(math.MinInt64)}, {"b", strings.Repeat("x", 1000)}}}}}
		assert.LessOrEqual(t, testing.AllocsPerRun(100, func() { encode(steps, frame{}) }), 1.0)
	})
}

func BenchmarkEncode(b *testing.B) {
	steps := make([]Step, 5)
	for i := range steps {
		steps[i].Stmt = Stmt{SQL: strings.Repeat("SELECT id, title FROM posts WHERE community = ?1 ", 10),
			Args: []any{int64(123456789012345), "golang", 0.5, "A body with some \"text\"\nin two lines"}}
	}
	b.ReportAllocs()
	for b.Loop() {
		encode(steps, frame{})
	}
}

// FuzzArguments parses the arguments of a request as if they were a row of a response.
func FuzzArguments(f *testing.F) {
	f.Add(int64(math.MinInt64), 0.5, "text", []byte("blob"))
	f.Add(int64(-1), math.Copysign(0, -1), "", []byte(nil))
	f.Add(int64(1<<53+1), math.MaxFloat64, "é\x00\"", []byte{0})
	f.Fuzz(func(t *testing.T, n int64, x float64, text string, blob []byte) {
		text = strings.ToValidUTF8(text, "?")
		row := []any{n, x, text, append([]byte{}, blob...), nil}
		if math.IsNaN(x) || math.IsInf(x, 0) {
			row[1] = nil
		}
		request := string(encode([]Step{{Stmt: Stmt{SQL: text, Args: row}}}, frame{}))
		values := request[strings.LastIndex(request, `"args":[`)+len(`"args":`) : len(request)-len(`}}]}},{"type":"close"}]}`)]
		d := newDecoder("[" + values + "]")
		table := d.rows()
		table.escaped = d.escaped.String()
		require.Equal(t, [][]any{row}, table.Rows())
		require.NoError(t, d.Err)
	})
}
