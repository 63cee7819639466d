//go:build !js

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "This program runs on Cloudflare Workers only: build it with GOOS=js GOARCH=wasm, or start ./build.sh dev.")
	os.Exit(2)
}
