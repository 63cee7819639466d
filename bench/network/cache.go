package main

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"sync"
)

// cache is an edge cache with the protocol of workerd: PUT stores the response in its body, and GET returns it, until the cache is emptied.
type cache struct {
	mu        sync.Mutex
	responses map[string][]byte
}

func (c *cache) empty() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.responses)
}

const cacheStatus = "CF-Cache-Status"

func (c *cache) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	key := r.Host + r.URL.RequestURI()
	switch r.Method {
	case http.MethodPut:
		body, err := io.ReadAll(r.Body)
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		c.mu.Lock()
		c.responses[key] = body
		c.mu.Unlock()
		w.WriteHeader(http.StatusNoContent)
	case http.MethodGet, http.MethodHead:
		c.mu.Lock()
		kept := c.responses[key]
		c.mu.Unlock()
		res, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(kept)), nil)
		if err != nil {
			w.Header().Set(cacheStatus, "MISS")
			w.WriteHeader(http.StatusGatewayTimeout)
			return
		}
		defer res.Body.Close()
		for name, values := range res.Header {
			w.Header()[name] = values
		}
		w.Header().Set(cacheStatus, "HIT")
		w.WriteHeader(res.StatusCode)
		_, _ = io.Copy(w, res.Body)
	default:
		w.WriteHeader(http.StatusMethodNotAllowed)
	}
}
