//go:build !js

package upstash

import "net/http"

var defaultHTTP Doer = http.DefaultClient
