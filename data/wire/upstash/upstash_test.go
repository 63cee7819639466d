package upstash_test

import (
	"math"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/data/wire/upstash"
	"plaza/test/stacktest"
)

const (
	wrongType = "WRONGTYPE Operation against a key holding the wrong kind of value"
	notInt    = "ERR value is not an integer or out of range"
)

func TestDo(t *testing.T) {
	client := stacktest.OpenRedis(t)
	_, err := client.Pipeline(t.Context(),
		upstash.Cmd{"SET", "text", "value"},
		upstash.Cmd{"RPUSH", "list", "a", "", "c"},
		upstash.Cmd{"ZADD", "set", 1, "one", 2.5, "two and a half"})
	require.NoError(t, err)
	binary := "local s = '' for i = 0, 255 do s = s .. string.char(i) end return s"
	every := make([]byte, 256)
	for i := range every {
		every[i] = byte(i)
	}

	tests := []struct {
		name string
		cmd  upstash.Cmd
		want string // the result of Reply.String
	}{
		{"text", upstash.Cmd{"GET", "text"}, `"value"`},
		{"text from bytes", upstash.Cmd{"ECHO", []byte("bytes")}, `"bytes"`},
		{"empty text is not nil", upstash.Cmd{"ECHO", ""}, `""`},
		{"a status", upstash.Cmd{"PING"}, `"PONG"`},
		{"the status OK", upstash.Cmd{"SET", "ok", "OK"}, `"OK"`},
		{"text that spells OK", upstash.Cmd{"GET", "ok"}, `"OK"`},
		{"text that spells base64", upstash.Cmd{"ECHO", "YWJj"}, `"YWJj"`},
		{"text that spells JSON", upstash.Cmd{"ECHO", `{"error":"no"}`}, `"{\"error\":\"no\"}"`},
		{"unicode", upstash.Cmd{"ECHO", "żółw 🐢 日本\u2028"}, `"żółw 🐢 日本\u2028"`},
		{"every control character", upstash.Cmd{"ECHO", string(every[:32]) + "\x7f\"\\/<>&"},
			`"\x00\x01\x02\x03\x04\x05\x06\a\b\t\n\v\f\r\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f\x7f\"\\/<>&"`},
		{"an integer", upstash.Cmd{"STRLEN", "text"}, `5`},
		{"a negative integer", upstash.Cmd{"TTL", "text"}, `-1`},
		{"the greatest int64", upstash.Cmd{"INCRBY", "max", int64(math.MaxInt64)}, `9223372036854775807`},
		{"the least int64", upstash.Cmd{"INCRBY", "min", math.MinInt64}, `-9223372036854775808`},
		{"an integer above 2^53 keeps its last digit", upstash.Cmd{"INCRBY", "odd", 1<<53 + 1}, `9007199254740993`},
		{"nil", upstash.Cmd{"GET", "nothing"}, `nil`},
		{"a condition not met", upstash.Cmd{"SET", "text", "x", "NX"}, `nil`},
		{"a list", upstash.Cmd{"LRANGE", "list", 0, -1}, `["a" "" "c"]`},
		{"an empty list", upstash.Cmd{"LRANGE", "nothing", 0, -1}, `[]`},
		{"a list with nil", upstash.Cmd{"MGET", "text", "nothing"}, `["value" nil]`},
		{"a nil list", upstash.Cmd{"LPOP", "nothing", 2}, `nil`},
		{"scores", upstash.Cmd{"ZRANGE", "set", 0, -1, "WITHSCORES"}, `["one" "1" "two and a half" "2.5"]`},
		{"lists in lists", upstash.Cmd{"EVAL", "return {1,{2,{'three',{}}},false,'x'}", 0}, `[1 [2 ["three" []]] nil "x"]`},
		{"arguments of a script", upstash.Cmd{"EVAL", "return {KEYS[1],ARGV[1],#ARGV}", 1, "key", "ä", 2}, `["key" "ä" 2]`},
		{"wrong type", upstash.Cmd{"INCR", "list"}, wrongType},
		{"wrong number of arguments", upstash.Cmd{"GET"}, "ERR wrong number of arguments for 'get' command"},
		{"a script's error", upstash.Cmd{"EVAL", "return redis.error_reply('MINE \"quoted\" <b>')", 0}, `MINE "quoted" <b>`},
		{"unknown script", upstash.Cmd{"EVALSHA", "ffffffffffffffffffffffffffffffffffffffff", 0},
			"NOSCRIPT No matching script. Please use EVAL."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			reply, err := client.Do(t.Context(), tt.cmd)
			assert.Equal(t, tt.want, reply.String())
			assert.Equal(t, reply.Err(), err, "the reply carries the error too")
			if e := (*upstash.Error)(nil); err != nil && assert.ErrorAs(t, err, &e) {
				assert.Equal(t, 400, e.Status)
			}

			replies, err := client.Pipeline(t.Context(), upstash.Cmd{"PING"}, tt.cmd)
			require.NoError(t, err)
			if tt.cmd[0] != "INCRBY" {
				assert.Equal(t, tt.want, replies[1].String(), "in a pipeline")
			}
		})
	}
	t.Run("bytes that are not UTF-8 come back as they are", func(t *testing.T) {
		reply, err := client.Do(t.Context(), upstash.Cmd{"EVAL", binary, 0})
		require.NoError(t, err)
		text, ok, err := reply.Text()
		require.NoError(t, err)
		assert.True(t, ok)
		assert.Equal(t, string(every), text)
	})
	t.Run("bytes that are not UTF-8 are refused as an argument, not altered", func(t *testing.T) {
		for _, arg := range []any{"\xff", []byte{0xc3}} {
			_, err := client.Do(t.Context(), upstash.Cmd{"SET", "text", arg})
			assert.EqualError(t, err, "upstash: SET: argument 2: is not UTF-8")
		}
	})
	t.Run("floats come back as the same float", func(t *testing.T) {
		for _, f := range []float64{0, 1, -1, 0.1, 2.5, 1e6, 1e15 + 0.5, 1e20, 1e21, 1e300, 5e-324, 1.0 / 3, -1e-7,
			math.MaxFloat64, math.Inf(1), math.Inf(-1), 1<<53 + 2} {
			replies, err := client.Pipeline(t.Context(), upstash.Cmd{"ZADD", "floats", f, "m"}, upstash.Cmd{"ZSCORE", "floats", "m"},
				upstash.Cmd{"ZCOUNT", "floats", f, f})
			require.NoError(t, err)
			require.NoError(t, upstash.FirstError(replies))
			got, err := replies[1].Float()
			require.NoError(t, err)
			assert.Equal(t, f, got)
			assert.Equal(t, "1", replies[2].String(), "as a bound of a range: %v", f)
		}
	})
	t.Run("a whole float is an integer argument", func(t *testing.T) {
		reply, err := client.Do(t.Context(), upstash.Cmd{"EXPIRE", "list", 1e6})
		require.NoError(t, err)
		assert.Equal(t, "1", reply.String())
	})
}

func TestPipeline(t *testing.T) {
	client := stacktest.OpenRedis(t)
	t.Run("gives every command its own error", func(t *testing.T) {
		replies, err := client.Pipeline(t.Context(),
			upstash.Cmd{"SET", "a", "text"}, upstash.Cmd{"INCR", "a"}, upstash.Cmd{"GET"}, upstash.Cmd{"CONFIG", "GET", "*"},
			upstash.Cmd{"GET", "a"})
		require.NoError(t, err)
		require.Len(t, replies, 5)
		assert.NoError(t, replies[0].Err())
		assert.Equal(t, &upstash.Error{Status: 200, Message: notInt}, replies[1].Err())
		assert.Equal(t, "ERR wrong number of arguments for 'get' command", replies[2].String())
		assert.Equal(t, "ERR Command is not available: 'CONFIG'", replies[3].String())
		assert.Equal(t, `"text"`, replies[4].String())

		err = upstash.FirstError(replies)
		assert.EqualError(t, err, "command 1: upstash: "+notInt)
		e := (*upstash.Error)(nil)
		require.ErrorAs(t, err, &e)
		assert.Equal(t, "ERR", e.Code())
	})
	t.Run("sends nothing without commands", func(t *testing.T) {
		ctx, meter := upstash.WithMeter(t.Context())
		replies, err := client.Pipeline(ctx)
		assert.NoError(t, err)
		assert.Empty(t, replies)
		assert.Zero(t, meter.Requests())
	})
	t.Run("keeps the order of many commands", func(t *testing.T) {
		cmds := make([]upstash.Cmd, 1000)
		for i := range cmds {
			cmds[i] = upstash.Cmd{"INCR", "n"}
		}
		ctx, meter := upstash.WithMeter(t.Context())
		replies, err := client.Pipeline(ctx, cmds...)
		require.NoError(t, err)
		for i, r := range replies {
			n, err := r.Int()
			require.NoError(t, err)
			require.EqualValues(t, i+1, n)
		}
		assert.Equal(t, 1, meter.Requests())
		assert.Equal(t, 1000, meter.Commands())
	})
	t.Run("refuses a bad argument before anything is sent", func(t *testing.T) {
		ctx, meter := upstash.WithMeter(t.Context())
		for want, cmd := range map[string]upstash.Cmd{
			"command 1: upstash: SET: argument 2: is not a number":                   {"SET", "a", math.NaN()},
			"command 1: upstash: SET: argument 2: of type uint8 is not supported":    {"SET", "a", uint8(1)},
			"command 1: upstash: SET: argument 2: of type <nil> is not supported":    {"SET", "a", nil},
			"command 1: upstash: SET: argument 2: of type []string is not supported": {"SET", "a", []string{"x"}},
			"command 1: upstash: empty command":                                      {},
		} {
			_, err := client.Pipeline(ctx, upstash.Cmd{"PING"}, cmd)
			assert.EqualError(t, err, want)
		}
		assert.Zero(t, meter.Requests())
	})
}

func TestMulti(t *testing.T) {
	client := stacktest.OpenRedis(t)
	t.Run("a command that fails when it runs stops no other", func(t *testing.T) {
		replies, err := client.Multi(t.Context(), upstash.Cmd{"SET", "a", "x"}, upstash.Cmd{"INCR", "a"}, upstash.Cmd{"SET", "a", "y"},
			upstash.Cmd{"GET", "a"})
		require.NoError(t, err)
		assert.Equal(t, []string{`"OK"`, notInt, `"OK"`, `"y"`},
			[]string{replies[0].String(), replies[1].String(), replies[2].String(), replies[3].String()})
	})
	t.Run("a command refused beforehand discards all", func(t *testing.T) {
		for want, bad := range map[string]upstash.Cmd{
			"EXECABORT Transaction discarded because of previous errors.": {"GET"},
			"ERR Command is not available: 'SELECT'":                      {"SELECT", 1},
		} {
			replies, err := client.Multi(t.Context(), upstash.Cmd{"SET", "discarded", "x"}, bad)
			assert.Equal(t, &upstash.Error{Status: 400, Message: want}, err)
			assert.Nil(t, replies)
			reply, err := client.Do(t.Context(), upstash.Cmd{"EXISTS", "discarded"})
			require.NoError(t, err)
			assert.Equal(t, "0", reply.String())
		}
	})
	t.Run("nothing runs in between", func(t *testing.T) {
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				for range 25 {
					replies, err := client.Multi(t.Context(), upstash.Cmd{"INCR", "both"}, upstash.Cmd{"INCR", "both"})
					if !assert.NoError(t, err) {
						return
					}
					first, _ := replies[0].Int()
					second, _ := replies[1].Int()
					assert.Equal(t, first+1, second)
				}
			})
		}
		wg.Wait()
		reply, err := client.Do(t.Context(), upstash.Cmd{"GET", "both"})
		require.NoError(t, err)
		n, err := reply.Int()
		require.NoError(t, err)
		assert.EqualValues(t, 400, n)
	})
	t.Run("scripts, nil and lists", func(t *testing.T) {
		replies, err := client.Multi(t.Context(), upstash.Cmd{"EVAL", "return {1,false,{'x'}}", 0}, upstash.Cmd{"GET", "none"})
		require.NoError(t, err)
		assert.Equal(t, `[1 nil ["x"]]`, replies[0].String())
		assert.True(t, replies[1].Nil())
	})
}

func TestWrongToken(t *testing.T) {
	url, token := stacktest.OpenRedisURL(t)
	client := upstash.New(upstash.Options{URL: url + "/", Token: token + "x"})
	cmd := upstash.Cmd{"SET", "key", "value"}
	want := &upstash.Error{Status: 401, Message: "WRONGPASS invalid or missing auth token"}
	_, err := client.Do(t.Context(), cmd)
	assert.Equal(t, want, err)
	_, err = client.Pipeline(t.Context(), cmd)
	assert.Equal(t, want, err)
	_, err = client.Multi(t.Context(), cmd)
	assert.Equal(t, want, err)
	assert.NotContains(t, err.Error(), token)
}
