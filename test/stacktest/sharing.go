package stacktest

import (
	"context"
	"net"
	"net/http"
	"strings"

	"plaza/stack"
)

// Streams is how many streams of a database tests leave open: all.
const Streams = 1000

// Apart returns a client for the databases of OpenDB, and for any other server, whose connections end with their requests. It works in a
// bubble of testing/synctest, where nothing may wait for a connection of later requests. There the clock stands still while a server works.
func Apart() *http.Client {
	dialer := &net.Dialer{}
	return &http.Client{Transport: authorized{shared.sqld.Authorization, stack.NewSharing(&http.Transport{
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			if _, port, _ := net.SplitHostPort(address); strings.HasSuffix(shared.sqld.URL, ":"+port) {
				address = "127.0.0.1:" + port
			}
			return dialer.DialContext(ctx, network, address)
		},
		DisableKeepAlives:  true,
		DisableCompression: true,
	}, Streams)}}
}
