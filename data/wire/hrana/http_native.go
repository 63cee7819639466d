//go:build !js

package hrana

import "net/http"

var defaultHTTP Doer = http.DefaultClient
