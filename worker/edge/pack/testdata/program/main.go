//go:build js && wasm

// Command program waits for begin() twice, and then prints its place in the code, which it finds in the table of functions. What it has
// stored at its start is only in its memory.
package main

import (
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"syscall/js"
)

func main() {
	plaza := js.Global().Get("context").Get("plaza")
	begun := make(chan string)
	plaza.Set("begin", js.FuncOf(func(_ js.Value, args []js.Value) any {
		go func() { begun <- args[0].String() }()
		return nil
	}))
	kept := map[string][]byte{}
	for i := range 100 {
		kept[fmt.Sprint("name", i)] = []byte(strings.Repeat("x", i))
	}
	say := plaza.Get("say")
	say.Invoke("started")
	// Go drops its reference to begin.
	for range 2 {
		runtime.GC()
		runtime.Gosched() // to the finalizers
	}
	for range 2 {
		say.Invoke("begun with " + <-begun)
		for skip := range 2 {
			pc, _, line, _ := runtime.Caller(skip)
			say.Invoke(fmt.Sprint(runtime.FuncForPC(pc).Name(), " ", line))
		}
		func() {
			defer func() { say.Invoke(fmt.Sprint(recover())) }()
			say.Invoke([]int{}[len(fmt.Sprint())])
		}()
		runtime.GC()
		total := 0
		for _, name := range slices.Sorted(maps.Keys(kept)) {
			total += len(kept[name])
		}
		say.Invoke(fmt.Sprint(len(kept), " ", total))
	}
}
