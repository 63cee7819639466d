package upstash

import "net/http"

// Doer sends HTTP requests, as *http.Client does. It is an interface because linking *http.Client brings TLS and HTTP/2
// into the Wasm module, 2.6 MB that never run there.
type Doer interface {
	Do(*http.Request) (*http.Response, error)
}
