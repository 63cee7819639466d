// Command pack makes a WebAssembly module of Go's linker smaller, for the build: pack FILE. The memory that the program finds at its
// start stays the same, byte for byte.
//
// A sixth of what the linker writes is a table in which the runtime finds the function of a program counter
// (runtime.findfunctab). It has 20 bytes for every 4,096 program counters. On this platform each function has 65,536 of them, so
// it has 16 records, and all of them say the function's number and nothing else. The table is a count. A function of a few
// instructions, which runs when the module is instantiated, counts as well.
//
// The linker leaves out zeros as long as it has segments left, of which engines take 100,000. The table uses them up. Without
// it there are enough for all zeros.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: pack FILE")
		os.Exit(2)
	}
	if err := packFile(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

func packFile(name string) error {
	module, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	packed, err := pack(module)
	if errors.Is(err, errNoTable) {
		// Another version of Go may do without. The module works as it is.
		fmt.Fprintf(os.Stderr, "pack: %s stays as it is: %v\n", name, err)
		return nil
	}
	if err != nil {
		return err
	}
	// The file is whole at any time, because a build may be interrupted.
	partial := name + ".partial"
	return errors.Join(os.WriteFile(partial, packed, 0o755), os.Rename(partial, name))
}

var errNoTable = errors.New("there is no table of functions that is a count")

// pack returns the module without its table of functions, and with a start function that writes it.
func pack(module []byte) ([]byte, error) {
	sections, err := parse(module)
	if err != nil {
		return nil, err
	}
	data := sections.find(sectionData)
	if data == nil || sections.find(sectionStart) != nil {
		return nil, errors.New("this module is not from Go's linker: it has no data, or a start function")
	}
	image, err := readImage(data.body)
	if err != nil {
		return nil, err
	}
	t, ok := findTable(image)
	if !ok {
		return nil, errNoTable
	}
	clear(image[t.at : t.at+t.records*recordSize])
	data.body = segments(image)
	if err := sections.addStart(t.writer()); err != nil {
		return nil, err
	}
	return sections.bytes(), nil
}

const (
	recordSize = 20 // a number of four bytes, and 16 bytes to add to it, which are zero
	perNumber  = 16 // records with one number
	// A run that is shorter is no table of a Go program, whose runtime alone has more functions.
	fewestRecords = 1000 * perNumber
)

// table is a run of records that count: record i has the number i / perNumber.
type table struct{ at, records int }

// findTable looks for the second function's records, since the first one's are zeros.
func findTable(image []byte) (table, bool) {
	second := bytes.Repeat(record(1), perNumber)
	for from := 0; ; {
		found := bytes.Index(image[from:], second)
		if found < 0 {
			return table{}, false
		}
		t := table{at: from + found - perNumber*recordSize}
		if t.at >= 0 {
			for t.holds(image, t.records) {
				t.records++
			}
			if t.records >= fewestRecords {
				return t, true
			}
		}
		from += found + 1
	}
}

func (t table) holds(image []byte, i int) bool {
	at := t.at + i*recordSize
	return at+recordSize <= len(image) && bytes.Equal(image[at:at+recordSize], record(i/perNumber))
}

func record(number int) []byte {
	return []byte{byte(number), byte(number >> 8), byte(number >> 16), byte(number >> 24), recordSize - 1: 0}
}

// writer is the body of the function that writes the table:
//
//	for i := 0; i < records; i++ { memory[at+i*recordSize] = i / perNumber }
func (t table) writer() []byte {
	const (
		loop, end, branchIf   = 0x03, 0x0b, 0x0d
		localGet, localTee    = 0x20, 0x22
		store                 = 0x36
		constant              = 0x41
		lessThan              = 0x49
		add, multiply, shift  = 0x6a, 0x6c, 0x76
		i32, nothing, aligned = 0x7f, 0x40, 0x02
	)
	body := []byte{1, 1, i32, loop, nothing} // one variable, i
	body = append(body, localGet, 0, constant, recordSize, multiply)
	body = append(body, localGet, 0, constant, 4, shift)
	body = appendUnsigned(append(body, store, aligned), t.at)
	body = append(body, localGet, 0, constant, 1, add, localTee, 0)
	body = appendSigned(append(body, constant), t.records)
	return append(body, lessThan, branchIf, 0, end, end)
}
