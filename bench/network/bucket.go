package main

import (
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// bucket is an R2 bucket with the protocol of workerd's binding: head, get, put and delete. Requests and responses are JSON, in a header
// or at the beginning of the body.
type bucket struct {
	puts, gets atomic.Int64
	mu         sync.Mutex
	objects    map[string]object
}

type object struct {
	metadata map[string]any
	bytes    []byte
}

type bucketRequest struct {
	Method     string          `json:"method"`
	Object     string          `json:"object"`
	Objects    []string        `json:"objects"`
	HTTPFields json.RawMessage `json:"httpFields"`
}

const (
	bucketAsk   = "cf-r2-request"
	bucketSize  = "cf-r2-metadata-size"
	bucketError = "cf-r2-error"
)

func (b *bucket) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	text := []byte(r.Header.Get(bucketAsk))
	if n, err := strconv.Atoi(r.Header.Get(bucketSize)); err == nil && n <= len(body) {
		text, body = body[:n], body[n:]
	}
	var request bucketRequest
	if json.Unmarshal(text, &request) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	switch request.Method {
	case "put":
		b.puts.Add(1)
		sum := md5.Sum(body)
		metadata := map[string]any{"name": request.Object, "version": "1", "size": len(body), "etag": hex.EncodeToString(sum[:]),
			"uploaded": time.Now().UnixMilli(), "httpFields": request.HTTPFields, "customFields": []any{}, "checksums": map[string]any{}}
		b.objects[request.Object] = object{metadata, body}
		writeObject(w, metadata, nil)
	case "head", "get":
		b.gets.Add(1)
		found, ok := b.objects[request.Object]
		if !ok {
			w.Header().Set(bucketError, `{"version":1,"v4code":10007,"message":"The specified key does not exist."}`)
			w.WriteHeader(http.StatusNotFound)
			return
		}
		if request.Method == "head" {
			found.bytes = nil
		}
		writeObject(w, found.metadata, found.bytes)
	case "delete":
		for _, name := range append(request.Objects, request.Object) {
			delete(b.objects, name)
		}
		writeObject(w, map[string]any{}, nil)
	default:
		w.WriteHeader(http.StatusNotImplemented)
	}
}

func writeObject(w http.ResponseWriter, metadata map[string]any, bytes []byte) {
	text, err := json.Marshal(metadata)
	if err != nil {
		panic(err)
	}
	w.Header().Set(bucketSize, strconv.Itoa(len(text)))
	w.Header().Set("Content-Length", strconv.Itoa(len(text)+len(bytes)))
	_, _ = w.Write(append(text, bytes...))
}
