package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"sync"
	"time"
)

// redisHost is the host name of requests to Redis. All other requests go to the database.
const redisHost = "redis.bench"

// recorded is a request of a worker.
type recorded struct {
	URL     string      `json:"url"`
	Method  string      `json:"method"`
	Headers http.Header `json:"headers"`
	Body    []byte      `json:"body"`
}

// passed counts the requests since the last command.
type passed struct {
	Database int64      `json:"database"` // requests to it
	Redis    int64      `json:"redis"`
	Read     int64      `json:"rows_read"`
	Written  int64      `json:"rows_written"`
	Commands int64      `json:"commands"` // of Redis, those in pipelines and transactions too
	Puts     int64      `json:"puts"`     // of the bucket: operations of class A
	Gets     int64      `json:"gets"`     // operations of class B
	Recorded []recorded `json:"recorded,omitempty"`
}

// forwarder forwards requests to the database or to Redis, by their host name.
type forwarder struct {
	database, redis *url.URL
	transport       *http.Transport

	mu      sync.Mutex
	command command
	passed  passed
}

func newForwarder(database, redis *url.URL) *forwarder {
	return &forwarder{database: database, redis: redis, transport: &http.Transport{MaxIdleConnsPerHost: 256, DisableCompression: true}}
}

func (f *forwarder) set(c command) passed {
	f.mu.Lock()
	defer f.mu.Unlock()
	before := f.passed
	f.command, f.passed = c, passed{}
	return before
}

// add counts a request, and returns the command that says how to handle it.
func (f *forwarder) add(r *http.Request, body []byte, isRedis bool) command {
	f.mu.Lock()
	defer f.mu.Unlock()
	if isRedis {
		f.passed.Redis++
	} else {
		f.passed.Database++
	}
	if f.command.Record {
		headers := r.Header.Clone()
		for _, name := range []string{"Content-Length", "Connection", "Accept-Encoding", "Transfer-Encoding"} {
			headers.Del(name)
		}
		f.passed.Recorded = append(f.passed.Recorded, recorded{"http://" + r.Host + r.URL.RequestURI(), r.Method, headers, body})
	}
	return f.command
}

func (f *forwarder) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	isRedis := r.Host == redisHost
	c := f.add(r, body, isRedis)
	target, delay := f.database, c.DatabaseMS
	if isRedis {
		target, delay = f.redis, c.RedisMS
	}
	if delay > 0 {
		time.Sleep(time.Duration(delay) * time.Millisecond)
	}
	out, err := http.NewRequestWithContext(r.Context(), r.Method, target.String()+r.URL.RequestURI(), bytes.NewReader(body))
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	out.Header = r.Header
	out.Header.Del("Connection")
	res, err := f.transport.RoundTrip(out)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	defer res.Body.Close()
	responseBody, err := io.ReadAll(res.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if c.Count {
		f.count(body, responseBody, isRedis)
	}
	for name, values := range res.Header {
		w.Header()[name] = values
	}
	w.Header().Del("Transfer-Encoding")
	w.Header().Set("Content-Length", strconv.Itoa(len(responseBody)))
	w.WriteHeader(res.StatusCode)
	_, _ = w.Write(responseBody)
}

var (
	rowsRead    = regexp.MustCompile(`"rows_read":(\d+)`)
	rowsWritten = regexp.MustCompile(`"rows_written":(\d+)`)
)

func (f *forwarder) count(body, responseBody []byte, isRedis bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if isRedis {
		f.passed.Commands += commandsOf(body)
		return
	}
	f.passed.Read += sum(rowsRead, responseBody)
	f.passed.Written += sum(rowsWritten, responseBody)
}

func sum(pattern *regexp.Regexp, responseBody []byte) (total int64) {
	for _, found := range pattern.FindAllSubmatch(responseBody, -1) {
		n, _ := strconv.ParseInt(string(found[1]), 10, 64)
		total += n
	}
	return total
}

// commandsOf returns the number of Redis commands in a request: one, or those of a pipeline or transaction. Plaza has no scripts.
func commandsOf(body []byte) int64 {
	var list []json.RawMessage
	if json.Unmarshal(body, &list) != nil || len(list) == 0 || !bytes.HasPrefix(bytes.TrimSpace(list[0]), []byte("[")) {
		return 1
	}
	return int64(len(list))
}
