// Command steps renders the texts that it reads from its input, a gob of [][]byte, and writes how many blocks of statements ran for each of
// them, a gob of []int. It has to be built with -cover -covermode=atomic.
package main

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"log"
	"os"
	"runtime/coverage"

	"plaza/render/markdown"
)

func main() {
	var texts [][]byte
	must(gob.NewDecoder(os.Stdin).Decode(&texts))
	const endless = 1 << 30
	_, err := markdown.Render("a", endless) // initializes what is initialized once
	must(err)
	var steps []int
	for _, text := range texts {
		must(coverage.ClearCounters())
		_, err := markdown.Render(string(text), endless)
		must(err)
		var counters bytes.Buffer
		must(coverage.WriteCounters(&counters))
		n, err := sum(counters.Bytes())
		must(err)
		steps = append(steps, n)
	}
	must(gob.NewEncoder(os.Stdout).Encode(steps))
}

// sum adds up the counters of a file of them, whose format is in package internal/coverage of Go. With go tool covdata, reading
// them takes twenty times as long as the texts.
func sum(file []byte) (n int, err error) {
	const header, segment, footer = 32, 16, 16
	if len(file) < header+segment+footer || !bytes.HasPrefix(file, []byte("\x00cwm")) || file[4] != 1 || file[24] != 2 {
		return 0, errors.New("counters have an unknown format")
	}
	little := binary.LittleEndian
	functions := little.Uint64(file[header:])
	file, end := file[header:], len(file)-header-footer
	file = file[segment+little.Uint32(file[8:])+little.Uint32(file[12:]) : end]
	next := func() uint64 {
		v, size := binary.Uvarint(file)
		if size <= 0 {
			err = errors.New("counters are cut off")
			return 0
		}
		file = file[size:]
		return v
	}
	for range functions {
		counters := next()
		next() // the package
		next() // the function
		for range counters {
			n += int(next())
		}
		if err != nil {
			return 0, err
		}
	}
	if len(file) > 0 {
		return 0, errors.New("there is more than counters")
	}
	return n, nil
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
