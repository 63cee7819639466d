//go:build js && wasm

package main

import (
	"plaza/worker/edge"
	"plaza/worker/edge/setup"
)

func main() { edge.Run(setup.Prepare()) }
