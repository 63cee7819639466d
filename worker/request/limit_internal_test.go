package request

import (
	"cmp"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"plaza/data/wire/upstash"
	"plaza/test/stacktest"
)

// TestCountCalls: calls of several requests are counted together. When one counter fails, only its own call gets the error.
func TestCountCalls(t *testing.T) {
	redis := stacktest.OpenRedis(t)
	a := &Server{}
	a.Redis = redis
	_, err := redis.Do(t.Context(), upstash.Cmd{"RPUSH", "limit:vote:broken:7", "no number"})
	require.NoError(t, err)
	broken, whole := &limited{key: "limit:vote:broken:", window: 7, life: 60}, &limited{key: "limit:vote:whole:", window: 7, life: 60}
	require.NoError(t, a.countCalls(t.Context(), []*limited{broken, whole}))
	require.NoError(t, a.countCalls(t.Context(), []*limited{whole, broken}))
	require.Error(t, broken.err)
	require.NoError(t, whole.err)
	require.EqualValues(t, 2, whole.count)
	next := &limited{key: whole.key, window: 8, life: 60}
	require.NoError(t, a.countCalls(t.Context(), []*limited{broken, next}))
	require.Equal(t, []int64{1, 2}, []int64{next.count, next.before})
}

// TestCountCallsOfALiar: an answer that can't be true is an error, which has the call counted in the directory.
func TestCountCallsOfALiar(t *testing.T) {
	for answer, fine := range map[string]bool{
		`[{"result":3},{"result":1},{"result":"2"}]`:                     true,
		`[{"result":3},{"result":1},{"result":null}]`:                    true,
		`[{"result":"3"},{"result":1},{"result":0}]`:                     true,
		`[{"result":2},{"result":1},{"result":null}]`:                    false, // the call costs 3
		`[{"result":0},{"result":1},{"result":null}]`:                    false,
		`[{"result":-3},{"result":1},{"result":null}]`:                   false,
		`[{"result":null},{"result":1},{"result":null}]`:                 false,
		`[{"result":null},{"result":null},{"result":null}]`:              false,
		`[{"result":"OK"},{"result":1},{"result":null}]`:                 false,
		`[{"result":""},{"result":1},{"result":null}]`:                   false,
		`[{"result":[3]},{"result":1},{"result":null}]`:                  false,
		`[{"result":3.5},{"result":1},{"result":null}]`:                  false,
		`[{"result":99999999999999999999},{"result":1},{"result":null}]`: false,
		`[{"result":3},{"result":1},{"result":"many"}]`:                  false,
		`[{"result":3},{"result":1},{"result":-1}]`:                      false,
		`[{"result":3},{"error":"ERR"},{"result":null}]`:                 false,
		`[{"result":3},{"result":1}]`:                                    false,
		`[]`:                                                             false,
		`{}`:                                                             false,
		`null`:                                                           false,
		`0`:                                                              false,
		`"OK"`:                                                           false,
		`OK`:                                                             false,
		``:                                                               false,
	} {
		liar := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, answer) }))
		a, call := &Server{}, &limited{key: "limit:login:x:", window: 7, life: 60, cost: 3}
		a.Redis = upstash.New(upstash.Options{URL: liar.URL, Token: "x", Limit: time.Minute})
		err := cmp.Or(a.countCalls(t.Context(), []*limited{call}), call.err)
		require.Equal(t, fine, err == nil, "%s: %v", answer, err)
		liar.Close()
	}
}

// TestLimitWait: a call that waits as long as it was told to is allowed, however many were refused before; and never are more calls
// allowed in a window than the limit says.
func TestLimitWait(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.IntRange(1, 50).Draw(t, "most")
		l := Limit{Per: time.Minute}
		var now, last time.Duration
		counts, taken := map[int64]int64{}, map[int64]int{}
		call := func() int {
			window := int64(now / l.Per)
			counts[window]++
			wait := l.wait(most, counts[window], counts[window-1], now%l.Per)
			if wait == 0 {
				taken[window]++
				require.LessOrEqual(t, taken[window], most)
			}
			return wait
		}
		for range rapid.IntRange(1, 200).Draw(t, "calls") {
			now += time.Duration(rapid.Int64Range(0, int64(3*time.Second)).Draw(t, "pause"))
			if wait := call(); wait > 0 {
				last = now + time.Duration(wait)*time.Second
			}
		}
		if last > now {
			now = last
			require.Zero(t, call())
		}
	})
}
