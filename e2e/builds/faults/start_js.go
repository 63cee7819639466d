//go:build js && wasm

package main

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	mathrand "math/rand/v2"
	"net/http"
	"time"

	"plaza/data/random"
)

// What the program finds as it starts.
var (
	startDraw = fmt.Sprint(mathrand.Uint64(), mathrand.Uint64())
	startTime = time.Now()
)

// showStart tells what of the time and of random numbers comes from the start, and what
// this event finds.
func showStart(w http.ResponseWriter, _ *http.Request) {
	var secret [16]byte
	_, _ = rand.Read(secret[:])
	writeJSON(w, map[string]any{
		"start":   map[string]any{"draw": startDraw, "time": startTime.UnixMilli()},
		"time":    time.Now().UnixMilli(),
		"passed":  time.Since(startTime).Milliseconds(),
		"numbers": fmt.Sprint(random.Uint32(), random.Uint32(), random.Uint32(), random.Uint32()),
		"secret":  hex.EncodeToString(secret[:]),
	})
}
