//go:build !js

package upstash

import "net/http"

func defaultDoer() Doer { return http.DefaultClient }
