package edge

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/netip"
	"net/textproto"
	"net/url"
	"strings"
)

var errHead = errors.New("edge: malformed head of a request")

// hasNoBody reports, from the lines that newRequest reads, that there is no body.
func hasNoBody(lines string) bool {
	for range 3 {
		_, lines, _ = strings.Cut(lines, "\n")
	}
	length, _, _ := strings.Cut(lines, "\n")
	return length == "" || length == "0"
}

// newRequest makes the request of lines written by requestHead in shim/head.mjs
// (after the turn's): method, URL, the client's address, the body's length, then
// names and values of the headers. Each header arrives as the client sent it,
// commas included. It fails on an address that net/url refuses.
func newRequest(ctx context.Context, lines string, body []byte) (*http.Request, error) {
	method, lines, _ := strings.Cut(lines, "\n")
	address, lines, _ := strings.Cut(lines, "\n")
	client, lines, _ := strings.Cut(lines, "\n")
	_, lines, _ = strings.Cut(lines, "\n")
	if method == "" {
		return nil, errHead
	}
	u, err := url.ParseRequestURI(address)
	if err != nil {
		return nil, err
	}
	header := headerOf(lines)
	header.Del("Host")
	r := &http.Request{
		Method: method, URL: u, Host: u.Host, Header: header,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Body: http.NoBody, ContentLength: int64(len(body)),
		RequestURI: u.RequestURI(),
	}
	if client != "" {
		r.RemoteAddr = joinHostPort(client)
	}
	if len(body) > 0 {
		r.Body = io.NopCloser(bytes.NewReader(body))
	}
	return r.WithContext(ctx), nil
}

// joinHostPort adds a port to an address, as net/http servers do. Some proxies add one
// themselves.
func joinHostPort(host string) string {
	if _, err := netip.ParseAddrPort(host); err == nil {
		return host
	}
	if strings.Contains(host, ":") {
		return "[" + host + "]:0"
	}
	return host + ":0"
}

// headerOf parses alternate lines of names and values.
func headerOf(lines string) http.Header {
	header := make(http.Header, strings.Count(lines, "\n")/2)
	for lines != "" {
		var name, value string
		name, lines, _ = strings.Cut(lines, "\n")
		value, lines, _ = strings.Cut(lines, "\n")
		name = textproto.CanonicalMIMEHeaderKey(name)
		header[name] = append(header[name], value)
	}
	return header
}
