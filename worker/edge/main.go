//go:build !js

// Package edge is Plaza's program for Cloudflare Workers: it wires package worker
// to the platform. Nothing about the site lives here, and nothing but this
// package knows JavaScript. The files that end in _js.go are the program; the
// others have no platform in them and are tested natively.
//
// worker.mjs and shim/ are the JavaScript side. See shim/supervisor.mjs for the
// terms: many events share one instance of this program, each has turns in it.
package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "This program runs on Cloudflare Workers only: build it with GOOS=js GOARCH=wasm, or start ./build.sh dev.")
	os.Exit(2)
}
