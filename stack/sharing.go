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

// idleStreams is how many idle streams may each keep a connection to plaza dev's sqld. The other half of its connections is for requests
// that continue no stream.
const idleStreams = sqldConnections / 2

// SharingProxy is a reverse proxy before sqld. Requests from other programs share its connections.
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
		ErrorLog:  log.New(io.Discard, "", 0), // errors are not logged: the client gets a 502
	}
	go func() { _ = p.server.Serve(listener) }()
	return p, nil
}

// Close ends the proxy's connections.
func (p *SharingProxy) Close() error { return p.server.Close() }
