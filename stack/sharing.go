package stack

import (
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"time"
)

// idleStreams is half of the connections of the sqld of plaza dev. The others are for requests without a stream.
const idleStreams = sqldConnections / 2

// SharingProxy is a proxy of a sqld that makes requests of other programs share connections.
type SharingProxy struct {
	URL    string
	server *http.Server
}

// StartSharingProxy returns when the proxy of the sqld at an address listens.
func StartSharingProxy(address string) (*SharingProxy, error) {
	target, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &SharingProxy{URL: "http://" + listener.Addr().String(), server: &http.Server{ReadHeaderTimeout: 10 * time.Second}}
	p.server.Handler = &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			r.Out.Header.Del("Accept-Encoding") // Sharing parses the response
		},
		Transport: NewSharing(&http.Transport{MaxIdleConnsPerHost: 16, DisableCompression: true}, idleStreams),
		ErrorLog:  log.New(io.Discard, "", 0), // a client without a response gets a 502
	}
	go func() { _ = p.server.Serve(listener) }()
	return p, nil
}

// Close ends the proxy's connections.
func (p *SharingProxy) Close() error { return p.server.Close() }
