package stack_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/stack"
	"plaza/test/stacktest"
)

// TestUpstashOwnClient uses the endpoint by @upstash/redis, the service's own client.
func TestUpstashOwnClient(t *testing.T) {
	root, err := stack.Root()
	require.NoError(t, err)
	node := filepath.Join(root, "node_modules", ".bin", "node")
	if _, err := os.Stat(filepath.Join(root, "node_modules", "@upstash", "redis")); err != nil {
		t.Skip("@upstash/redis is not installed: npm ci")
	}
	stacktest.Inputs(t, "stack/testdata/upstash_client.mjs", "node_modules/.package-lock.json")
	url, token := stacktest.OpenRedisURL(t)
	cmd := exec.CommandContext(t.Context(), node, filepath.Join("testdata", "upstash_client.mjs"), url, token)
	cmd.Stderr = os.Stderr
	printed, err := cmd.Output()
	require.NoError(t, err)
	var got map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(printed, &got))

	const wrongType = "WRONGTYPE Operation against a key holding the wrong kind of value"
	const notInt = "ERR value is not an integer or out of range"
	want := map[string]string{
		"ping":                             `"PONG"`,
		"set":                              `"OK"`,
		"get":                              `"value"`,
		"get of nothing":                   `null`,
		"a value that spells OK":           `["OK","OK"]`,
		"a value that is base64":           `["OK","YWJj"]`,
		"set with options":                 `null`,
		"a JSON value":                     `{"title":"a \"quoted\" <title>","tags":["x","y"],"n":1.5,"on":true,"none":null}`,
		"unicode":                          `"żółw 🐢 \u2028 日本\u0000\n\t\"\\"`,
		"unicode in plain JSON":            `"żółw 🐢 \u2028 日本\u0000\n\t\"\\"`,
		"zadd":                             `3`,
		"zadd nx":                          `0`,
		"zrange":                           `["a","b","ç"]`,
		"zrange with scores":               `["a",1,"b",2.5,"ç",3]`,
		"zrange by score, reversed":        `["ç"]`,
		"zscore":                           `2.5`,
		"hset and hgetall":                 `[2,{"a":"x","b":2}]`,
		"mget":                             `["value",null,"żółw 🐢 \u2028 日本\u0000\n\t\"\\"]`,
		"incr":                             `1`,
		"a number above 2^53 in text":      `["OK","9223372036854775807x"]`,
		"pipeline":                         `["OK",2,2,null,["a"]]`,
		"pipeline with an error":           `[{"result":"OK"},{"error":"` + notInt + `"},{"result":"text"}]`,
		"multi":                            `["OK",42,42]`,
		"multi with an error when it runs": `[{"result":"OK"},{"error":"` + notInt + `"},{"result":"OK"}]`,
		"multi left what ran":              `"after"`,
		"commands that the client groups":  `[1,2,3]`,
		"eval":                             `["key","ä",7,null,["nested",1],"value"]`,
		"eval of a status":                 `"FINE"`,
		"evalsha":                          `"loaded"`,
		"scan":                             `["0",["unicode"]]`,
		"expire and ttl":                   `[1,100]`,
		"type":                             `"zset"`,
		"wrong type":                       `"UpstashError: ` + wrongType + `"`,
		"unknown script":                   `"UpstashError: NOSCRIPT No matching script. Please use EVAL."`,
		"script error":                     `"UpstashError: MINE went wrong"`,
		"unsupported command":              `"UpstashError: ERR Command is not available: 'CONFIG'"`,
		"wrong token":                      `"UpstashError: WRONGPASS invalid or missing auth token"`,
		"wrong token in a pipeline":        `"UpstashError: WRONGPASS invalid or missing auth token"`,
		"wrong token in a transaction":     `"UpstashError: WRONGPASS invalid or missing auth token"`,
		"flushall":                         `["OK",0]`,
	}
	for name, want := range want {
		if assert.Contains(t, got, name) {
			assert.JSONEq(t, want, string(got[name]), name)
		}
	}
	assert.Len(t, got, len(want), "every step is compared")
}
