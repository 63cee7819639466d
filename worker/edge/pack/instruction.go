package main

import (
	"errors"
	"fmt"
)

// The opcodes that Go's linker writes and this command looks at.
// https://webassembly.github.io/spec/core/binary/instructions.html
const (
	opUnreachable = 0x00
	opBlock       = 0x02
	opLoop        = 0x03
	opIf          = 0x04
	opElse        = 0x05
	opEnd         = 0x0b
	opBranch      = 0x0c
	opBranchIf    = 0x0d
	opBranchTable = 0x0e
	opReturn      = 0x0f
	opCall        = 0x10
	opCallTable   = 0x11
	opDrop        = 0x1a
	opSelect      = 0x1b
	opLocalGet    = 0x20
	opLocalSet    = 0x21
	opLocalTee    = 0x22
	opGlobalGet   = 0x23
	opGlobalSet   = 0x24
	opFirstLoad   = 0x28
	opLastLoad    = 0x35
	opFirstStore  = 0x36
	opLastStore   = 0x3e
	opMemorySize  = 0x3f
	opMemoryGrow  = 0x40
	opI32Const    = 0x41
	opI64Const    = 0x42
	opF32Const    = 0x43
	opF64Const    = 0x44
	opI32Eqz      = 0x45
	opI64Eqz      = 0x50
	opF64Ge       = 0x66
	opI32Add      = 0x6a
	opI64Add      = 0x7c
	opI32Wrap     = 0xa7
	opI64ExtendU  = 0xad
	opExtend32    = 0xc4 // the last of the numeric instructions
	opPrefix      = 0xfc
	opMemoryCopy  = 10 // after the prefix
	opMemoryFill  = 11
)

// moreBytes is the bit that is set in each byte of a LEB128 number but the last.
const moreBytes = 0x80

// instruction is one of a function's instructions, with its operand: an index, a constant, or the offset of a load or store.
type instruction struct {
	op      byte
	operand int64
	align   int    // of a load or store
	labels  []int  // of a br_table
	raw     []byte // its bytes in the module; nil for a new one
}

var errUnknownInstruction = errors.New("an instruction that Go's linker does not write")

// readInstruction reads the next instruction.
func readInstruction(r *reader) (in instruction, err error) {
	start := r.rest
	in.op = r.byte()
	switch op := in.op; {
	case op == opBlock || op == opLoop || op == opIf || op == opMemorySize || op == opMemoryGrow:
		in.operand = int64(r.byte())
		if in.operand >= moreBytes {
			return in, fmt.Errorf("%w: 0x%02x with an operand of several bytes", errUnknownInstruction, op)
		}
	case op == opBranch || op == opBranchIf || op == opCall || op >= opLocalGet && op <= opGlobalSet:
		in.operand = int64(r.unsigned())
	case op == opBranchTable:
		for range r.unsigned() + 1 {
			in.labels = append(in.labels, r.unsigned())
			if r.broken {
				break
			}
		}
	case op == opCallTable:
		in.operand = int64(r.unsigned())
		r.byte()
	case op >= opFirstLoad && op <= opLastStore:
		in.align, in.operand = r.unsigned(), int64(r.unsigned())
	case op == opI32Const || op == opI64Const:
		in.operand = r.signed()
	case op == opF32Const:
		r.take(4)
	case op == opF64Const:
		r.take(8)
	case op == opPrefix:
		in.operand = int64(r.unsigned())
		switch in.operand {
		case 0, 1, 2, 3, 4, 5, 6, 7: // truncations
		case opMemoryCopy:
			r.take(2)
		case opMemoryFill:
			r.take(1)
		default:
			return in, fmt.Errorf("%w: 0x%02x %d", errUnknownInstruction, op, in.operand)
		}
	case op <= 1 || op == opElse || op == opEnd || op == opReturn || op == opDrop || op == opSelect || op >= opI32Eqz && op <= opExtend32:
	default:
		return in, fmt.Errorf("%w: 0x%02x", errUnknownInstruction, op)
	}
	if r.broken {
		return in, errBroken
	}
	in.raw = start[:len(start)-len(r.rest)]
	return in, nil
}

// append writes the instruction.
func (in instruction) append(b []byte) []byte {
	if in.raw != nil {
		return append(b, in.raw...)
	}
	b = append(b, in.op)
	switch op := in.op; {
	case op == opBranch || op == opBranchIf || op >= opLocalGet && op <= opGlobalSet:
		b = appendUnsigned(b, int(in.operand))
	case op >= opFirstLoad && op <= opLastStore:
		b = appendUnsigned(appendUnsigned(b, in.align), int(in.operand))
	case op == opI32Const || op == opI64Const:
		b = appendSigned(b, in.operand)
	}
	return b
}

func (in instruction) is(op byte, operand int64) bool { return in.op == op && in.operand == operand }

func (in instruction) loads() bool  { return in.op >= opFirstLoad && in.op <= opLastLoad }
func (in instruction) stores() bool { return in.op >= opFirstStore && in.op <= opLastStore }

// effect returns how many values an instruction pops from the stack and pushes. ok is false for those that this command need not know.
func (in instruction) effect() (pops, pushes int, ok bool) {
	switch op := in.op; {
	case op == opLocalGet || op == opGlobalGet || op == opI32Const || op == opI64Const || op == opF32Const || op == opF64Const:
		return 0, 1, true
	case op == opLocalTee || in.loads():
		return 1, 1, true
	case op == opLocalSet || op == opGlobalSet || op == opDrop:
		return 1, 0, true
	case in.stores():
		return 2, 0, true
	case op == opSelect:
		return 3, 1, true
	case op == opI32Eqz || op == opI64Eqz:
		return 1, 1, true
	case op > opI32Eqz && op <= opF64Ge: // comparisons
		return 2, 1, true
	case op >= 0x67 && op <= 0x69, op >= 0x79 && op <= 0x7b: // clz, ctz, popcnt
		return 1, 1, true
	case op >= opI32Add && op <= 0x78, op >= opI64Add && op <= 0x8a: // arithmetic of integers
		return 2, 1, true
	case op >= 0x8b && op <= 0x91, op >= 0x99 && op <= 0x9f: // functions of a floating-point number
		return 1, 1, true
	case op >= 0x92 && op <= 0x98, op >= 0xa0 && op <= 0xa6: // arithmetic of floating-point numbers
		return 2, 1, true
	case op >= opI32Wrap && op <= opExtend32: // conversions
		return 1, 1, true
	}
	return 0, 0, false
}
