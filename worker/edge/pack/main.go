// Command pack puts a snapshot of a Go program into its WebAssembly module, for the build:
//
//	pack export-globals MODULE OUT         writes a module that exports its globals, so that worker/edge/snapshot can read them
//	pack insert-snapshot MODULE SNAPSHOT   puts the memory and globals in the folder into the module
//
// A packed module has the snapshot's memory, byte for byte. Zeros are left out. So is runtime.findfunctab, a sixth of the linker's output:
// on this platform its records only count functions, so a start function writes them (findTable). shorten.go makes the code a seventh
// shorter, because V8 checks all of it before anything runs. Begin with withSnapshot.
package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	var err error
	switch {
	case len(os.Args) == 4 && os.Args[1] == "export-globals":
		err = exportGlobals(os.Args[2], os.Args[3])
	case len(os.Args) == 4 && os.Args[1] == "insert-snapshot":
		err = insertSnapshot(os.Args[2], os.Args[3])
	default:
		fmt.Fprintln(os.Stderr, "usage: pack export-globals MODULE OUT, or pack insert-snapshot MODULE SNAPSHOT")
		os.Exit(2)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

func exportGlobals(name, to string) error {
	module, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	all, err := parse(module)
	if err != nil {
		return err
	}
	if err := all.exportGlobals(); err != nil {
		return err
	}
	return os.WriteFile(to, all.bytes(), 0o644)
}

func insertSnapshot(name, snapshot string) error {
	module, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	memory, err := os.ReadFile(filepath.Join(snapshot, "memory"))
	if err != nil {
		return err
	}
	globals, err := os.ReadFile(filepath.Join(snapshot, "globals"))
	if err != nil {
		return err
	}
	packed, err := withSnapshot(module, memory, strings.Fields(string(globals)))
	if err != nil {
		return err
	}
	// The file is whole at any time, because a build may be interrupted.
	partial := name + ".partial"
	return errors.Join(os.WriteFile(partial, packed, 0o755), os.Rename(partial, name))
}

// withSnapshot returns the module with that memory, these values of its globals and shorter code. It adds the sum of the memory,
// because app.json must be of the same snapshot (shim/snapshot.mjs). It clears the table in memory and adds the function that writes it.
// Another version of Go may have no such table.
func withSnapshot(module, memory []byte, globals []string) ([]byte, error) {
	all, err := parse(module)
	if err != nil {
		return nil, err
	}
	data := all.find(sectionData)
	if data == nil || all.find(sectionStart) != nil {
		return nil, errors.New("this module is not from Go's linker: it has no data, or a start function")
	}
	if err := all.setGlobals(globals); err != nil {
		return nil, err
	}
	if err := all.setMemory(len(memory)); err != nil {
		return nil, err
	}
	sum := sha256.Sum256(memory)
	t, found := findTable(memory)
	if found {
		clear(memory[t.at : t.at+t.records*recordSize])
	}
	if err := all.shortenAll(); err != nil {
		return nil, err
	}
	data.body = segments(memory)
	if found {
		if err := all.addStart(t.writer()); err != nil {
			return nil, err
		}
	}
	return append(all, custom("snapshot", fmt.Sprintf("%x", sum))).bytes(), nil
}

const (
	recordSize = 20 // a number of four bytes, and 16 bytes to add to it, which are zero
	perNumber  = 16 // records with one number
	// A shorter run is not the table of a Go program, whose runtime alone has more functions.
	minRecords = 1000 * perNumber
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
			if t.records >= minRecords {
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

// writer returns the body of the function that writes the table:
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
	body = appendSigned(append(body, constant), int64(t.records))
	return append(body, lessThan, branchIf, 0, end, end)
}
