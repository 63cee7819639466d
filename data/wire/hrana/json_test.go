package hrana

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// answer wraps a batch result the way sqld does.
func answer(result string) string {
	return `{"baton":null,"base_url":null,"results":[{"type":"ok","response":{"type":"batch","result":` + result +
		`}},{"type":"ok","response":{"type":"close"}}]}`
}

func TestDecodeJSON(t *testing.T) {
	t.Run("the order of keys and the white space do not matter, unknown keys are passed over", func(t *testing.T) {
		out, err := stepsInJSON(`
		{ "results" : [ { "response" : { "result" : { "step_errors" : [ null ], "later" : [ { "x" : [ 1.5e-7 , true , false , null , "\"" ] } ] ,
			"step_results" : [ { "rows" : [ [ { "value" : "7" , "type" : "integer" } , { "base64" : "AP8=" , "type" : "blob" } ] ] ,
				"rows_read" : 3 , "query_duration_ms" : 1.5 , "last_insert_rowid" : "-9223372036854775808" , "cols" : [ { "decltype" : "INT" , "name" : "a" } , { "name" : null } ] } ] } } ,
			"type" : "ok" } , { "type" : "ok" } ] }`+"\r\n", 1)
		require.NoError(t, err)
		sameSteps(t, []StepResult{{Result: Result{Columns: []string{"a", ""}, Table: TableOf([]any{int64(7), []byte{0, 255}}), RowsRead: 3, Took: 1500 * time.Microsecond,
			LastInsertRowID: math.MinInt64}}}, out)
	})
}

func TestEncodeJSON(t *testing.T) {
	t.Run("a request is the one that encoding/json would read back", func(t *testing.T) {
		every := make([]rune, 0, 0x300)
		for r := range rune(0x300) {
			every = append(every, r)
		}
		text := string(every) + "\u2028\U0001f600"
		body := appendJSON(nil, []Step{
			{Stmt: Stmt{SQL: "SELECT '" + text, Args: []any{nil, true, 7, int64(math.MinInt64), 1e300, -0.5, text, []byte{1}}}},
			{Stmt: Stmt{SQL: "b"}, If: And(IfOK(0), Not(Or(IfError(0))))},
			{Stmt: Stmt{SQL: "c", Named: []Named{{"one", int64(1 << 60)}, {text, nil}}}},
		})
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
	t.Run("the size is guessed well enough to grow rarely", func(t *testing.T) {
		steps := []Step{{Stmt: Stmt{SQL: "SELECT 1", Args: []any{1, "x", 1.5, []byte("blob")}}},
			{Stmt: Stmt{SQL: "SELECT 2", Named: []Named{{"a_name", int64(math.MinInt64)}, {"b", strings.Repeat("x", 1000)}}}}}
		assert.LessOrEqual(t, testing.AllocsPerRun(100, func() { appendJSON(nil, steps) }), 1.0)
	})
}

// slowDecode is the plain way to read a result, to compare with.
func slowDecode(body string) ([]StepResult, error) {
	type value struct {
		Type   string          `json:"type"`
		Value  json.RawMessage `json:"value"`
		Base64 string          `json:"base64"`
	}
	type result struct {
		Cols []struct {
			Name string `json:"name"`
		} `json:"cols"`
		Rows            [][]value `json:"rows"`
		RowsAffected    int64     `json:"affected_row_count"`
		LastInsertRowID *string   `json:"last_insert_rowid"`
		RowsRead        int64     `json:"rows_read"`
		RowsWritten     int64     `json:"rows_written"`
		Took            float64   `json:"query_duration_ms"`
	}
	var answer struct {
		Results []struct {
			Response struct {
				Result struct {
					StepResults []*result `json:"step_results"`
					StepErrors  []*Error  `json:"step_errors"`
				} `json:"result"`
			} `json:"response"`
		} `json:"results"`
	}
	if err := json.Unmarshal([]byte(body), &answer); err != nil {
		return nil, err
	}
	if len(answer.Results) == 0 {
		return nil, nil
	}
	batch := answer.Results[0].Response.Result
	out := make([]StepResult, len(batch.StepResults))
	for i, r := range batch.StepResults {
		if i < len(batch.StepErrors) && batch.StepErrors[i] != nil {
			out[i].Err = batch.StepErrors[i]
			out[i].Err.Step = i
		}
		if r == nil {
			out[i].Skipped = out[i].Err == nil
			continue
		}
		res := Result{RowsAffected: r.RowsAffected, RowsRead: r.RowsRead, RowsWritten: r.RowsWritten, Took: took(r.Took)}
		if r.LastInsertRowID != nil {
			res.LastInsertRowID, _ = strconv.ParseInt(*r.LastInsertRowID, 10, 64)
		}
		for _, c := range r.Cols {
			res.Columns = append(res.Columns, c.Name)
		}
		var rows [][]any
		for _, row := range r.Rows {
			vals := make([]any, len(row))
			for j, v := range row {
				var text string
				_ = json.Unmarshal(v.Value, &text)
				switch v.Type {
				case "integer":
					if text == "" {
						text = string(v.Value)
					}
					n, _ := strconv.ParseInt(text, 10, 64)
					vals[j] = n
				case "float":
					f, _ := strconv.ParseFloat(string(v.Value), 64)
					vals[j] = f
				case "text":
					vals[j] = text
				case "blob":
					b, _ := base64.RawStdEncoding.DecodeString(strings.TrimRight(v.Base64, "="))
					vals[j] = append([]byte{}, b...)
				}
			}
			rows = append(rows, vals)
		}
		res.Table = TableOf(rows...)
		out[i].Result = res
	}
	return out, nil
}

// plain makes results comparable: empty and missing are the same.
func plain(out []StepResult) string {
	var b strings.Builder
	for _, s := range out {
		r := s.Result
		fmt.Fprintf(&b, "%q %#v %d %d %d %d", r.Columns, r.Rows(), r.RowsAffected, r.LastInsertRowID, r.RowsRead,
			r.RowsWritten)
		if r.Count == 0 {
			b.Reset()
			fmt.Fprintf(&b, "%q", r.Columns)
		}
		if s.Err != nil {
			fmt.Fprintf(&b, " %d %q %q", s.Err.Step, s.Err.Code, s.Err.Message)
		}
		fmt.Fprintln(&b, s.Skipped)
	}
	return b.String()
}

func TestDecodesJSONLikeTheSlowWay(t *testing.T) {
	body := page(25, 24)
	fast, err := stepsInJSON(body, 1)
	require.NoError(t, err)
	slow, err := slowDecode(body)
	require.NoError(t, err)
	sameSteps(t, slow, fast)
}

// TestTextsWithControlCharacters: a text has them as escapes, as encoding/json wants it, also where it is written as sqld writes it.
func TestTextsWithControlCharacters(t *testing.T) {
	for of, want := range map[string]bool{`a b`: true, `a\nb`: true, "a\nb": false, "a\x00": false, "\x1f": false, "12345678\t": false} {
		_, err := stepsInJSON(answer(`{"step_results":[{"cols":[{"name":"t","decltype":null}],"rows":[[{"type":"text","value":"`+of+
			`"}]]}],"step_errors":[null]}`), 1)
		require.Equal(t, want, err == nil, "%q: %v", of, err)
	}
}

func FuzzDecodeJSON(f *testing.F) {
	f.Add(page(2, 7))
	f.Add(answer(`{"step_results":[null,null],"step_errors":[{"message":"UNIQUE constraint failed: t.a","code":"SQLITE_CONSTRAINT"},null]}`))
	f.Add(answer(`{"step_results":[{"cols":[{"name":"b"}],"rows":[[{"type":"blob","base64":"AP8"}],[{"type":"text",` +
		`"value":"\ud83d\ude00\u0000"}]]}],"step_errors":[null]}`))
	f.Add(`{"baton":null,"base_url":null,"results":[{"type":"error","error":{"message":"no","code":"SQL_PARSE_ERROR"}},{"type":"ok",` +
		`"response":{"type":"close"}}]}`)
	f.Add(`{"error":"Namespace does not exist"}`)
	f.Add("Received an invalid baton")
	f.Fuzz(func(t *testing.T, body string) {
		statusError(400, body)
		for steps := range 3 {
			out, err := stepsInJSON(body, steps)
			if err != nil {
				continue
			}
			require.Len(t, out, steps)
			for _, s := range out {
				for _, row := range s.Result.Rows() {
					require.Len(t, row, len(s.Result.Columns))
				}
			}
			// Where encoding/json agrees that it is JSON it must agree on what it says. It takes other spellings of a
			// key for the same and merges what is said twice, so only the usual spelling is compared.
			if !utf8.ValidString(body) || strings.Contains(body, `\u`) || !usual(body) {
				continue
			}
			slow, err := slowDecode(body)
			if err == nil {
				require.Equal(t, plain(slow), plain(out))
			}
		}
	})
}

// usual tells whether body has no keys that differ only in case, and none twice.
func usual(body string) bool {
	if body != strings.ToLower(body) {
		for _, key := range []string{"results", "response", "result", "step_results", "step_errors", "cols", "rows", "name",
			"type", "value", "base64", "affected_row_count", "last_insert_rowid", "rows_read", "rows_written", "message", "code", "step", "status",
			"err"} {
			if strings.Count(strings.ToLower(body), `"`+key+`"`) != strings.Count(body, `"`+key+`"`) {
				return false
			}
		}
	}
	d := json.NewDecoder(strings.NewReader(body))
	return distinct(d)
}

func distinct(d *json.Decoder) bool {
	token, err := d.Token()
	if err != nil {
		return false
	}
	seen := map[string]bool{}
	switch token {
	case json.Delim('{'):
		for d.More() {
			key, err := d.Token()
			name, _ := key.(string)
			// Keys that only encoding/json's struct knows.
			if err != nil || seen[name] || name == "Step" || name == "Status" || name == "Err" || !distinct(d) {
				return false
			}
			seen[name] = true
		}
		_, err = d.Token()
	case json.Delim('['):
		for d.More() {
			if !distinct(d) {
				return false
			}
		}
		_, err = d.Token()
	}
	return err == nil
}
