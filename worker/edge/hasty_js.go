//go:build js && wasm && faults && hasty && !stock

package main

import "crypto/rand"

// This build asks for random bytes while it starts. That ends the start in the global scope. e2e/edge tests that the site
// serves all the same: Go then starts with the first event. It is never deployed.
func init() {
	var b [16]byte
	_, _ = rand.Read(b[:])
}
