package stack

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"
)

// unsupported are the commands that the service does not have, or that are not possible on a shared connection: they wait, stream,
// or change the state of the connection or the server.
var unsupported = func() map[string]bool {
	set := map[string]bool{}
	for name := range strings.FieldsSeq(`
		SUBSCRIBE PSUBSCRIBE SSUBSCRIBE UNSUBSCRIBE PUNSUBSCRIBE SUNSUBSCRIBE MONITOR
		BLPOP BRPOP BRPOPLPUSH BLMOVE BLMPOP BZPOPMIN BZPOPMAX BZMPOP WAIT WAITAOF
		AUTH HELLO SELECT RESET QUIT CLIENT READONLY READWRITE ASKING
		MULTI EXEC DISCARD WATCH UNWATCH
		CONFIG SHUTDOWN DEBUG ACL MODULE CLUSTER FAILOVER REPLICAOF SLAVEOF SYNC PSYNC REPLCONF MIGRATE SWAPDB MOVE
		SAVE BGSAVE BGREWRITEAOF LASTSAVE LATENCY MEMORY SLOWLOG COMMAND`) {
		set[name] = true
	}
	return set
}()

func allowed(cmd []any) error {
	name := strings.ToUpper(cmd[0].(string))
	waits := unsupported[name]
	if name == "XREAD" || name == "XREADGROUP" {
		for _, arg := range cmd[1:] {
			waits = waits || strings.EqualFold(arg.(string), "BLOCK")
		}
	}
	if waits {
		return fmt.Errorf("ERR Command is not available: '%s'", name)
	}
	return nil
}

// parseCommand parses ["SET","key",1]. Every argument becomes a string, a number with the digits of the request.
func parseCommand(body []byte) ([]any, error) {
	var list []any
	if err := parse(body, &list); err != nil {
		return nil, err
	}
	return command(list)
}

func parseCommands(body []byte) ([][]any, error) {
	var lists [][]any
	if err := parse(body, &lists); err != nil {
		return nil, err
	}
	if len(lists) == 0 {
		return nil, errors.New("ERR empty pipeline request")
	}
	for i, list := range lists {
		cmd, err := command(list)
		if err != nil {
			return nil, fmt.Errorf("%w [command %d]", err, i)
		}
		lists[i] = cmd
	}
	return lists, nil
}

func parse(body []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	if d.Decode(into) != nil {
		return errors.New("ERR failed to parse command")
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("ERR failed to parse command")
	}
	return nil
}

func command(list []any) ([]any, error) {
	for i, arg := range list {
		switch v := arg.(type) {
		case string:
		case json.Number:
			list[i] = v.String()
		case bool:
			list[i] = strconv.FormatBool(v)
		case nil:
			return nil, errors.New("ERR null argument is not allowed")
		default:
			return nil, errors.New("ERR nested argument is not allowed")
		}
	}
	if len(list) == 0 || list[0] == "" {
		return nil, errors.New("ERR empty command")
	}
	return list, nil
}

// resultEncoder writes results as JSON, strings in base64 on demand.
type resultEncoder struct{ base64 bool }

func (e resultEncoder) outcome(dst []byte, result any, err error) []byte {
	if err != nil && !errors.Is(err, redis.Nil) {
		return append(appendText(append(dst, `{"error":`...), err.Error()), '}')
	}
	return append(e.append(append(dst, `{"result":`...), result), '}')
}

func (e resultEncoder) append(dst []byte, result any) []byte {
	switch v := result.(type) {
	case nil:
		return append(dst, "null"...)
	case int64:
		return strconv.AppendInt(dst, v, 10)
	case string:
		if !e.base64 || v == "OK" {
			return appendText(dst, v)
		}
		dst = append(dst, '"')
		return append(base64.StdEncoding.AppendEncode(dst, []byte(v)), '"')
	case []any:
		dst = append(dst, '[')
		for i, element := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = e.append(dst, element)
		}
		return append(dst, ']')
	case error:
		return e.outcome(dst, nil, v)
	}
	return appendText(dst, fmt.Sprint(result))
}

// appendText replaces invalid UTF-8 by U+FFFD, as the service does, and does not escape HTML.
func appendText(dst []byte, s string) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s)
	return append(dst, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...)
}
