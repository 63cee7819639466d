package limit

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"plaza/data/wire/upstash"
)

// TestALyingRedis: an answer that can't be true is an error, which has the call counted elsewhere.
func TestALyingRedis(t *testing.T) {
	for response, fine := range map[string]bool{
		`[{"result":3},{"result":1},{"result":"2"}]`:                     true,
		`[{"result":3},{"result":1},{"result":null}]`:                    true,
		`[{"result":"3"},{"result":1},{"result":0}]`:                     true,
		`[{"result":2},{"result":1},{"result":null}]`:                    false, // there are 3 unsent ones
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
		liar := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, response) }))
		a := &Counter{Redis: upstash.New(upstash.Options{URL: liar.URL, Token: "x", Limit: time.Minute})}
		_, _, err := a.countInRedis(t.Context(), "limit:login:x:", window{number: 7, unsent: 3}, time.Minute)
		require.Equal(t, fine, err == nil, "%s: %v", response, err)
		liar.Close()
	}
}

// TestLimitWait: a call that waits as long as it was told to is allowed, however many were refused before; and never are more calls
// allowed in a window than the limit says.
func TestLimitWait(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.IntRange(1, 50).Draw(t, "most")
		l := Limit{Max: most, Per: time.Minute}
		var now, last time.Duration
		counts, taken := map[int64]int64{}, map[int64]int{}
		call := func() int {
			number := int64(now / l.Per)
			counts[number]++
			wait := Counted{Limit: l, window: window{At: time.Unix(0, int64(now)), count: counts[number], before: counts[number-1]}}.Wait()
			if wait == 0 {
				taken[number]++
				require.LessOrEqual(t, taken[number], most)
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
