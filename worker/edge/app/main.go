//go:build !js

// Command app is the program that wrangler.toml deploys: the site, served by package edge. worker/edge/build.sh compiles it. On any other
// platform it only prints an error.
package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "This program runs on Cloudflare Workers only: build it with GOOS=js GOARCH=wasm, or start ./build.sh dev.")
	os.Exit(2)
}
