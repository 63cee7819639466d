package main

import (
	"errors"
	"fmt"
	"strconv"
)

// Go's linker writes globals of these types, each mutable and initially zero.
const (
	i32, i64           = 0x7f, 0x7e
	variable           = 1
	constant32         = 0x41
	constant64         = 0x42
	exportedGlobal     = 3
	pageSize           = 1 << 16
	memoryWithoutLimit = 0
)

// globalTypes returns the type of each global.
func (all sections) globalTypes() ([]byte, error) {
	s := all.find(sectionGlobal)
	if s == nil {
		return nil, errBroken
	}
	r := reader{rest: s.body}
	types := make([]byte, 0, 8)
	for range r.unsigned() {
		kind, mutable, op, value, last := r.byte(), r.byte(), r.byte(), r.byte(), r.byte()
		if mutable != variable || (kind != i32 || op != constant32) && (kind != i64 || op != constant64) || value != 0 || last != end {
			return nil, errBroken
		}
		types = append(types, kind)
	}
	if r.broken || len(r.rest) > 0 {
		return nil, errBroken
	}
	return types, nil
}

// exportGlobals exports each global under the name "global" with its number.
func (all sections) exportGlobals() error {
	types, err := all.globalTypes()
	if err != nil {
		return err
	}
	for i := range types {
		name := "global" + strconv.Itoa(i)
		entry := append(appendUnsigned(nil, len(name)), name...)
		if _, err := all.append(sectionExport, appendUnsigned(append(entry, exportedGlobal), i)); err != nil {
			return err
		}
	}
	return nil
}

// setGlobals sets the initial values of the globals.
func (all sections) setGlobals(values []string) error {
	types, err := all.globalTypes()
	if err != nil {
		return err
	}
	if len(values) != len(types) {
		return fmt.Errorf("the snapshot has %d globals, the module %d", len(values), len(types))
	}
	body := appendUnsigned(nil, len(types))
	for i, kind := range types {
		op, bits := byte(constant32), 32
		if kind == i64 {
			op, bits = constant64, 64
		}
		n, err := strconv.ParseInt(values[i], 10, bits)
		if err != nil {
			return err
		}
		body = append(appendSigned(append(body, kind, variable, op), n), end)
	}
	all.find(sectionGlobal).body = body
	return nil
}

// setMemory sets the initial size of the memory, in bytes.
func (all sections) setMemory(size int) error {
	s := all.find(sectionMemory)
	if s == nil || size%pageSize != 0 {
		return errors.New("the module has no memory, or the snapshot's size is no multiple of the page size")
	}
	s.body = appendUnsigned([]byte{1, memoryWithoutLimit}, size/pageSize)
	return nil
}
