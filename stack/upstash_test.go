package stack_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/stack"
	"plaza/test/stacktest"
)

type response struct {
	status int
	body   string
}

func send(t *testing.T, method, url, body string, header ...string) response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	require.NoError(t, err)
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	assert.Equal(t, "application/json", res.Header.Get("Content-Type"))
	return response{res.StatusCode, string(text)}
}

func TestUpstashSaysNothingWithoutTheToken(t *testing.T) {
	url, token := stacktest.OpenRedisURL(t)
	refused := response{401, `{"error":"WRONGPASS invalid or missing auth token"}`}
	paths := []string{"", "/", "/pipeline", "/multi-exec", "/get/key", "/set/key/value", "//", "/nothing/../pipeline", "/monitor"}
	for _, path := range paths {
		for _, method := range []string{"GET", "POST", "PUT", "DELETE", "OPTIONS"} {
			body := `["SET","key","value"]`
			assert.Equal(t, refused, send(t, method, url+path, body), method+path)
			for _, header := range []string{"Bearer", "Bearer ", "Bearer " + token + "x", "Bearer " + token[1:], "Basic " + token, token,
				"Bearer  " + token} {
				assert.Equal(t, refused, send(t, method, url+path, body, "Authorization", header), method+path+" "+header)
			}
		}
		assert.Equal(t, refused, send(t, "POST", url+path+"?_token=wrong", "x"))
		assert.Equal(t, refused, send(t, "POST", url+path+"?_token="+token, "x", "Authorization", "Bearer wrong"), "the header counts")
	}
	assert.Equal(t, response{200, `{"result":0}`}, send(t, "GET", url+"/dbsize?_token="+token, ""))
}

func TestUpstashRequests(t *testing.T) {
	url, token := stacktest.OpenRedisURL(t)
	big := strings.Repeat("x", 1<<20)
	tests := []struct {
		name, method, path, body string
		want                     response
	}{
		{"a command in the body", "POST", "/", `["SET","foo","bar"]`, response{200, `{"result":"OK"}`}},
		{"numbers keep their digits", "POST", "", `["ECHO",9007199254740993]`, response{200, `{"result":"9007199254740993"}`}},
		{"numbers keep their form", "POST", "", `["ECHO",1.50]`, response{200, `{"result":"1.50"}`}},
		{"true and false", "POST", "", `["ECHO",true]`, response{200, `{"result":"true"}`}},
		{"a command in the path", "GET", "/get/foo", "", response{200, `{"result":"bar"}`}},
		{"arguments in the path are unescaped", "GET", "/set/a%2Fb%20c/%E2%9C%93+?x", "", response{400, `{"error":"ERR syntax error"}`}},
		{"an escaped slash is part of an argument", "GET", "/set/a%2Fb/%E2%9C%93+", "", response{200, `{"result":"OK"}`}},
		{"and is found under that name", "POST", "/", `["GET","a/b"]`, response{200, `{"result":"✓+"}`}},
		{"an empty argument", "GET", "/set//x", "", response{200, `{"result":"OK"}`}},
		{"the body is the last argument", "POST", "/set/body?EX=100", "{\"a\":\n1}", response{200, `{"result":"OK"}`}},
		{"and came first", "GET", "/ttl/body", "", response{200, `{"result":100}`}},
		{"and came whole", "GET", "/get/body", "", response{200, `{"result":"{\"a\":\n1}"}`}},
		{"a flag in the query", "PUT", "/set/body?EX=5&NX", "x", response{200, `{"result":null}`}},
		{"an empty body is none", "POST", "/get/foo", "", response{200, `{"result":"bar"}`}},
		{"bytes that are not UTF-8 are replaced", "POST", "/", `["EVAL","return string.char(255)..'<b>'",0]`,
			response{200, `{"result":"\ufffd<b>"}`}},
		{"a failed command", "POST", "/", `["INCR","foo"]`, response{400, `{"error":"ERR value is not an integer or out of range"}`}},
		{"a pipeline", "POST", "/pipeline", `[["GET","foo"],["INCR","foo"],["GET","none"],["MONITOR"],["LRANGE","none",0,-1]]`,
			response{200, `[{"result":"bar"},{"error":"ERR value is not an integer or out of range"},{"result":null},{"error":"ERR Command is not ` +
				`available: 'MONITOR'"},{"result":[]}]`}},
		{"a pipeline of nothing but unsupported commands", "POST", "/pipeline", `[["SHUTDOWN"]]`,
			response{200, `[{"error":"ERR Command is not available: 'SHUTDOWN'"}]`}},
		{"a transaction", "POST", "/multi-exec", `[["SET","n",1],["INCR","n"],["LPUSH","n","x"]]`,
			response{200, `[{"result":"OK"},{"result":2},{"error":"WRONGTYPE Operation against a key holding the wrong kind of value"}]`}},
		{"a discarded transaction", "POST", "/multi-exec", `[["SET","n",1],["GET"]]`,
			response{400, `{"error":"EXECABORT Transaction discarded because of previous errors."}`}},
		{"no JSON", "POST", "/", `SET a b`, response{400, `{"error":"ERR failed to parse command"}`}},
		{"something behind the JSON", "POST", "/", `["PING"]["PING"]`, response{400, `{"error":"ERR failed to parse command"}`}},
		{"an object", "POST", "/", `{"a":1}`, response{400, `{"error":"ERR failed to parse command"}`}},
		{"no body", "GET", "/", ``, response{400, `{"error":"ERR failed to parse command"}`}},
		{"no command", "POST", "/", `[]`, response{400, `{"error":"ERR empty command"}`}},
		{"a command that is null", "POST", "/", `null`, response{400, `{"error":"ERR empty command"}`}},
		{"no command in a pipeline", "POST", "/pipeline", `[["PING"],[]]`, response{400, `{"error":"ERR empty command [command 1]"}`}},
		{"an empty pipeline", "POST", "/pipeline", `[]`, response{400, `{"error":"ERR empty pipeline request"}`}},
		{"one command as a pipeline", "POST", "/pipeline", `["PING"]`, response{400, `{"error":"ERR failed to parse command"}`}},
		{"a null argument", "POST", "/", `["SET","a",null]`, response{400, `{"error":"ERR null argument is not allowed"}`}},
		{"a list as an argument", "POST", "/", `["SET","a",["b"]]`, response{400, `{"error":"ERR nested argument is not allowed"}`}},
		{"a method that is none", "DELETE", "/", `["PING"]`, response{405, `{"error":"ERR method not allowed"}`}},
		{"a body above 1 MB", "POST", "/set/big", big + "x", response{413, `{"error":"ERR max request size exceeded. Limit: 1048576 bytes"}`}},
		{"a body of 1 MB", "POST", "/set/big", big, response{200, `{"result":"OK"}`}},
		{"FLUSHALL is allowed", "POST", "/", `["FLUSHALL"]`, response{200, `{"result":"OK"}`}},
	}
	for _, tt := range tests { // one after the other: some read what others wrote
		assert.Equal(t, tt.want, send(t, tt.method, url+tt.path, tt.body, "Authorization", "Bearer "+token), tt.name)
	}
	for _, name := range strings.Fields("subscribe PSUBSCRIBE monitor BLPOP bzpopmin WAIT AUTH hello SELECT QUIT client MULTI EXEC watch " +
		"CONFIG shutdown DEBUG ACL replicaof SAVE") {
		got := send(t, "POST", url, `["`+name+`","x","0"]`, "Authorization", "Bearer "+token)
		assert.Equal(t, response{400, `{"error":"ERR Command is not available: '` + strings.ToUpper(name) + `'"}`}, got)
	}
	for _, header := range []string{"Authorization", "authorization"} {
		got := send(t, "POST", url, `["XREAD","block","0","STREAMS","s","$"]`, header, "bearer "+token)
		assert.Equal(t, 400, got.status)
	}
	assert.Equal(t, response{400, `{"error":"ERR response format is not supported here"}`},
		send(t, "POST", url, `["PING"]`, "Authorization", "Bearer "+token, "Upstash-Response-Format", "resp2"))
}

func TestUpstashBase64(t *testing.T) {
	url, token := stacktest.OpenRedisURL(t)
	for body, want := range map[string]string{
		`["PING"]`: `{"result":"UE9ORw=="}`,
		`["EVAL","return {1,string.char(255),false,{'a','OK'},redis.status_reply('OK')}",0]`: `{"result":[1,"/w==",null,["YQ==","OK"],"OK"]}`,
		`["EVAL","return redis.error_reply('MINE x')",0]`:                                    `{"error":"MINE x"}`,
		`["ECHO",""]`: `{"result":""}`,
	} {
		assert.Equal(t, want, send(t, "POST", url, body, "Authorization", "Bearer "+token, "Upstash-Encoding", "base64").body)
	}
}

func TestUpstashWithoutRedis(t *testing.T) {
	t.Run("does not start without a token", func(t *testing.T) {
		_, err := stack.StartUpstash(t.Context(), stack.UpstashOptions{RedisAddr: "127.0.0.1:1"})
		assert.ErrorContains(t, err, "token")
	})
	t.Run("does not start without Redis", func(t *testing.T) {
		_, err := stack.StartUpstash(t.Context(), stack.UpstashOptions{RedisAddr: "127.0.0.1:1", Token: "t"})
		assert.ErrorContains(t, err, "127.0.0.1:1")
	})
	t.Run("says so when Redis went away", func(t *testing.T) {
		r := startRedis(t, stack.RedisOptions{Kind: stack.LocalRedis()})
		u, err := stack.StartUpstash(t.Context(), stack.UpstashOptions{RedisAddr: r.Addr, Token: "t"})
		require.NoError(t, err)
		defer u.Close()
		require.NoError(t, r.Close())
		gone := response{502, `{"error":"ERR redis does not answer"}`}
		assert.Equal(t, gone, send(t, "POST", u.URL, `["PING"]`, "Authorization", "Bearer t"))
		assert.Equal(t, gone, send(t, "POST", u.URL+"/pipeline", `[["PING"]]`, "Authorization", "Bearer t"))
		assert.Equal(t, gone, send(t, "POST", u.URL+"/multi-exec", `[["PING"]]`, "Authorization", "Bearer t"))
	})
}
