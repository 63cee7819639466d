// Command steps renders the texts that it reads from its input, a gob of [][]byte, and leaves in the folder DIR/0, DIR/1
// and so on how often each statement ran for each of them. It has to be built with -cover -covermode=atomic.
package main

import (
	"encoding/gob"
	"log"
	"os"
	"path/filepath"
	"runtime/coverage"
	"strconv"

	"plaza/render/markdown"
)

func main() {
	var texts [][]byte
	must(gob.NewDecoder(os.Stdin).Decode(&texts))
	const endless = 1 << 30
	_, err := markdown.Render("a", endless) // makes what is made once
	must(err)
	for i, text := range texts {
		must(coverage.ClearCounters())
		_, err := markdown.Render(string(text), endless)
		must(err)
		dir := filepath.Join(os.Args[1], strconv.Itoa(i))
		must(os.Mkdir(dir, 0o755))
		must(coverage.WriteCountersDir(dir))
		must(coverage.WriteMetaDir(dir))
	}
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
