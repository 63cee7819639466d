// Command program says where it is, which it finds in the table of functions.
package main

import (
	"fmt"
	"runtime"
)

func main() {
	for skip := range 2 {
		pc, _, line, _ := runtime.Caller(skip)
		fmt.Println(runtime.FuncForPC(pc).Name(), line)
	}
	defer func() { fmt.Println(recover()) }()
	fmt.Println([]int{}[len(fmt.Sprint())])
}
