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

// response wraps a batch result like sqld.
func response(result string) string {
	return `{"baton":null,"base_url":null,"results":[{"type":"ok","response":{"type":"batch","result":` + result +
		`}},{"type":"ok","response":{"type":"close"}}]}`
}

// page is the response to a listing.
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
	return response(b.String() +
		`],"affected_row_count":0,"last_insert_rowid":null,"replication_index":null,"rows_read":25,"rows_written":0,` +
		`"query_duration_ms":0.36}],"step_errors":[null],"replication_index":"4"}`)
}

func comma(i int) string {
	if i == 0 {
		return ""
	}
	return ","
}

func TestDecode(t *testing.T) {
	t.Run("the order of keys and the white space do not matter, unknown keys are passed over", func(t *testing.T) {
		out, err := decodeSteps(`
		{ "results" : [ { "response" : { "result" : { "step_errors" : [ null ], "later" : [ { "x" : [ 1.5e-7 , true , false , null , "\"" ] } ] ,
			"step_results" : [ { "rows" : [ [ { "value" : "7" , "type" : "integer" } , { "base64" : "AP8=" , "type" : "blob" } ] ] ,
				"rows_read" : 3 , "query_duration_ms" : 1.5 , "last_insert_rowid" : "-9223372036854775808" , "cols" : [ { "decltype" : "INT" , "name" : "a" } , { "name" : null } ] } ] } } ,
			"type" : "ok" } , { "type" : "ok" } ] }`+"\r\n", 1)
		require.NoError(t, err)
		sameSteps(t, []StepResult{{Result: Result{Columns: []string{"a", ""}, Table: TableOf([]any{int64(7), []byte{0, 255}}), RowsRead: 3, Took: 1500 * time.Microsecond,
			LastInsertRowID: math.MinInt64}}}, out)
	})
	t.Run("an answer cut off anywhere is an error", func(t *testing.T) {
		body := page(2, 9)
		for n := range len(body) {
			_, err := decodeSteps(body[:n], 1)
			require.Error(t, err, "%d of %d bytes", n, len(body))
		}
	})
	t.Run("the index is that of the statement ahead of the batch, or of the batch", func(t *testing.T) {
		const (
			asked  = `{"type":"ok","response":{"type":"execute","result":{"cols":[],"rows":[],"replication_index":%s}}},`
			batch  = `{"type":"ok","response":{"type":"batch","result":{"step_results":[{}],"step_errors":[null],"replication_index":"9"}}},`
			closed = `{"type":"ok","response":{"type":"close"}}]}`
		)
		for _, tt := range []struct {
			ahead string
			want  uint64
		}{{"", 9}, {fmt.Sprintf(asked, `"7"`), 7}, {fmt.Sprintf(asked, "null"), 0}} {
			out, err := decode(`{"results":[`+tt.ahead+batch+closed, 1, tt.ahead != "")
			require.NoError(t, err)
			require.Len(t, out.steps, 1)
			assert.Equal(t, tt.want, out.index)
		}
	})
	t.Run("the baton and the base URL are those of the next request", func(t *testing.T) {
		body := strings.Replace(page(1, 1), `"baton":null,"base_url":null`, `"baton":"a\"b","base_url":"http://there"`, 1)
		out, err := decode(body, 1, false)
		require.NoError(t, err)
		assert.Equal(t, []string{`a"b`, "http://there"}, []string{out.baton, out.baseURL})
	})
}

// slowDecode is the simple way to parse a result, for comparison.
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
	var response struct {
		Results []struct {
			Response struct {
				Result struct {
					StepResults []*result `json:"step_results"`
					StepErrors  []*Error  `json:"step_errors"`
				} `json:"result"`
			} `json:"response"`
		} `json:"results"`
	}
	if err := json.Unmarshal([]byte(body), &response); err != nil {
		return nil, err
	}
	if len(response.Results) == 0 {
		return nil, nil
	}
	batch := response.Results[0].Response.Result
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

func TestDecodesLikeTheSlowWay(t *testing.T) {
	body := page(25, 24)
	fast, err := decodeSteps(body, 1)
	require.NoError(t, err)
	slow, err := slowDecode(body)
	require.NoError(t, err)
	sameSteps(t, slow, fast)
}

// The values of a page take one allocation, not one each. The race detector takes one more.
func TestDecodingAllocatesPerResponse(t *testing.T) {
	listing := page(25, 24)
	// Five of its columns have names with escapes. Texts with escapes are in a buffer that grows.
	require.LessOrEqual(t, testing.AllocsPerRun(20, func() { _, _ = decodeSteps(listing, 1) }), 30.0)
}

// A compact copy has the same values, and takes memory of the size of its own texts.
func TestCompact(t *testing.T) {
	for _, body := range []string{page(25, 24), page(0, 24), page(1, 1)} {
		steps, err := decodeSteps(body, 1)
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

func BenchmarkDecode(b *testing.B) {
	listing := page(25, 24)
	for name, decode := range map[string]func(string, int) ([]StepResult, error){
		"by hand":       decodeSteps,
		"encoding|json": func(body string, _ int) ([]StepResult, error) { return slowDecode(body) },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(listing)))
			for b.Loop() {
				if _, err := decode(listing, 1); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestTextsWithControlCharacters: a text has them as escapes, as encoding/json requires, also on the fast path for the spelling of sqld.
func TestTextsWithControlCharacters(t *testing.T) {
	for of, want := range map[string]bool{`a b`: true, `a\nb`: true, "a\nb": false, "a\x00": false, "\x1f": false, "12345678\t": false} {
		_, err := decodeSteps(response(`{"step_results":[{"cols":[{"name":"t","decltype":null}],"rows":[[{"type":"text","value":"`+of+
			`"}]]}],"step_errors":[null]}`), 1)
		require.Equal(t, want, err == nil, "%q: %v", of, err)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(page(2, 7))
	f.Add(response(`{"step_results":[null,null],"step_errors":[{"message":"UNIQUE constraint failed: t.a","code":"SQLITE_CONSTRAINT"},null]}`))
	f.Add(response(`{"step_results":[{"cols":[{"name":"b"}],"rows":[[{"type":"blob","base64":"AP8"}],[{"type":"text",` +
		`"value":"\ud83d\ude00\u0000"}]]}],"step_errors":[null]}`))
	f.Add(`{"baton":null,"base_url":null,"results":[{"type":"error","error":{"message":"no","code":"SQL_PARSE_ERROR"}},{"type":"ok",` +
		`"response":{"type":"close"}}]}`)
	f.Add(`{"error":"Namespace does not exist"}`)
	f.Add("Received an invalid baton")
	f.Fuzz(func(t *testing.T, body string) {
		statusError(400, body)
		for steps := range 3 {
			out, err := decodeSteps(body, steps)
			if err != nil {
				continue
			}
			require.Len(t, out, steps)
			for _, s := range out {
				for _, row := range s.Result.Rows() {
					require.Len(t, row, len(s.Result.Columns))
				}
			}
			// If encoding/json accepts it as JSON, both must return the same. encoding/json ignores case in keys and merges duplicates, so only
			// bodies without these are compared.
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

// usual reports whether body has no keys that differ only in case, and no duplicates.
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
