//go:build js && wasm && faults && hasty && !stock

package main

import "crypto/rand"

// This build asks for random bytes as it starts, which ends a start before the first
// event. e2e/edge shows that it serves all the same. It is never deployed.
func init() {
	var b [16]byte
	_, _ = rand.Read(b[:])
}
