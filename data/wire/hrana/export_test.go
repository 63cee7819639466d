package hrana

import (
	"time"

	"github.com/stretchr/testify/require"
)

// TableOf holds the values of rows.
func TableOf(rows ...[]any) Table {
	t := Table{Count: len(rows)}
	for _, row := range rows {
		for _, v := range row {
			c := Cell{}
			switch v := v.(type) {
			case int64:
				c = integerCell(v)
			case float64:
				c = floatCell(v)
			case string:
				c = Cell{Kind: Text, at: uint32(len(t.body)), bits: uint64(len(v))}
				t.body += v
			case []byte:
				c = Cell{Kind: Blob, at: uint32(len(t.body)), bits: uint64(len(v))}
				t.body += string(v)
			}
			t.cells = append(t.cells, c)
		}
	}
	return t
}

// sameSteps fails unless two responses are equal, wherever their texts are in memory.
func sameSteps(t require.TestingT, want, got []StepResult) {
	plain := func(steps []StepResult) (plain []StepResult, rows [][][]any) {
		for _, s := range steps {
			rows = append(rows, s.Result.Rows())
			s.Result.Table = Table{Count: s.Result.Count}
			plain = append(plain, s)
		}
		return plain, rows
	}
	wantSteps, wantRows := plain(want)
	gotSteps, gotRows := plain(got)
	require.Equal(t, wantSteps, gotSteps)
	require.Equal(t, wantRows, gotRows)
}

// decodeSteps parses a response to [batch, close].
func decodeSteps(body string, steps int) ([]StepResult, error) {
	out, err := decode(body, steps, false)
	return out.steps, err
}

// Reached makes a client know only the last index of the primary that another client knows, as of some time ago.
func Reached(c, other *Client, ago time.Duration) {
	c.reached.list = []position{{other.reached.list[len(other.reached.list)-1].index, time.Now().Add(ago)}}
}

// Hear gives a client an index of the primary, as of some time ago.
func Hear(c *Client, index uint64, ago time.Duration) { c.reached.note(index, time.Now().Add(ago)) }
