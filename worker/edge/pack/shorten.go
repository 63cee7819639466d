package main

import "fmt"

// shorten rewrites functions of Go's compiler into shorter ones that do the same. The compiler translates each instruction by
// itself. On this platform that costs a seventh of the module, and V8 does not shorten it. What is rewritten:
//
//   - Addresses on the stack. The compiler adds a frame's offset to the stack pointer in 64 bits, for each load and store. Here it is part
//     of the load or store itself.
//   - Jumps. The compiler sets PC_B, the number of a resume point, and goes back to the function's loop, whose br_table goes to that resume
//     point. A jump to a resume point further down goes there directly.
//   - The end of a function, which adds to the stack pointer twice.
//   - A value that is set and read at once, and a conversion that the next instruction undoes.
//
// Numbers of functions and of resume points stay the same: return addresses on the stack are made of them.

// The first local variables of a function that follows Go's calling convention.
const (
	localPCB = 0 // PC_B, the number of the resume point to go on from
	localSP  = 1 // the stack pointer, a copy of the global one
	globalSP = 0
)

// maxOffset bounds what is added to the offset of a load or store, so that it stays far below 32 bits.
const maxOffset = 1 << 24

// shortenAll rewrites the functions of the code section.
func (all sections) shortenAll() error {
	s := all.find(sectionCode)
	if s == nil {
		return errBroken
	}
	r := reader{rest: s.body}
	n := r.unsigned()
	out := appendUnsigned(make([]byte, 0, len(s.body)), n)
	for i := range n {
		body := r.take(r.unsigned())
		if r.broken {
			return errBroken
		}
		short, err := shorten(body)
		if err != nil {
			return fmt.Errorf("function %d of the code section: %w", i, err)
		}
		out = append(appendUnsigned(out, len(short)), short...)
	}
	if r.broken || len(r.rest) > 0 {
		return errBroken
	}
	s.body = out
	return nil
}

// shorten rewrites the body of one function. Functions that do not follow Go's calling convention stay as they are.
func shorten(body []byte) ([]byte, error) {
	r := reader{rest: body}
	for range r.unsigned() { // declarations of local variables
		r.unsigned()
		r.byte()
	}
	head := body[:len(body)-len(r.rest)]
	var code []instruction
	for len(r.rest) > 0 && !r.broken {
		in, err := readInstruction(&r)
		if err != nil {
			return nil, err
		}
		code = append(code, in)
	}
	if r.broken {
		return nil, errBroken
	}
	if len(code) < 2 || !code[0].is(opGlobalGet, globalSP) || !code[1].is(opLocalSet, localSP) {
		return body, nil
	}
	code = shortenJumps(code)
	code = shortenAddresses(code)
	code = shortenPairs(code)
	code = shortenReturns(code)
	out := append(make([]byte, 0, len(body)), head...)
	for _, in := range code {
		out = in.append(out)
	}
	return out, nil
}

// shortenJumps makes forward jumps go to their resume point directly. In Go's functions, the targets of a br_table are blocks that end at
// the resume points. So the resume point of a block that is still open lies ahead.
func shortenJumps(code []instruction) []instruction {
	type frame struct{ start int } // where an open structure begins
	var open []frame
	var resumePoints []int // the starts of the blocks that end at resume points, by number
	loop := -1             // the start of the loop around them
	out := make([]instruction, 0, len(code))
	for i := 0; i < len(code); i++ {
		in := code[i]
		switch in.op {
		case opBlock, opLoop, opIf:
			open = append(open, frame{i})
		case opEnd:
			if len(open) > 0 {
				open = open[:len(open)-1]
			}
		case opBranchTable:
			if resumePoints != nil || i == 0 || !code[i-1].is(opLocalGet, localPCB) {
				return code // not the one of Go's functions
			}
			for _, label := range in.labels {
				if label >= len(open) || code[open[len(open)-1-label].start].op != opBlock {
					return code
				}
				resumePoints = append(resumePoints, open[len(open)-1-label].start)
			}
			for _, f := range open {
				if code[f.start].op == opLoop {
					loop = f.start
				}
			}
		}
		// depth returns how many structures a branch from here leaves on its way to a resume point. skip is how many of the innermost
		// ones are about to be removed.
		depth := func(number int64, branch instruction, skip int) (int, bool) {
			label := int(branch.operand)
			if number < 0 || number >= int64(len(resumePoints)) || label >= len(open) || open[len(open)-1-label].start != loop {
				return 0, false
			}
			for d := range len(open) - skip {
				if open[len(open)-1-skip-d].start == resumePoints[number] {
					return d, true
				}
			}
			return 0, false
		}
		if in.op == opIf && in.operand == 0x40 && i+4 < len(code) && code[i+1].op == opI32Const && code[i+2].is(opLocalSet, localPCB) &&
			code[i+3].op == opBranch && code[i+4].op == opEnd {
			if d, ok := depth(code[i+1].operand, code[i+3], 1); ok {
				out = append(out, instruction{op: opBranchIf, operand: int64(d)})
				open = open[:len(open)-1]
				i += 4
				continue
			}
		}
		if in.op == opI32Const && i+2 < len(code) && code[i+1].is(opLocalSet, localPCB) && code[i+2].op == opBranch {
			if d, ok := depth(in.operand, code[i+2], 0); ok {
				out = append(out, instruction{op: opBranch, operand: int64(d)})
				i += 2
				continue
			}
		}
		out = append(out, in)
	}
	return out
}

// shortenAddresses puts offsets from the stack pointer into loads and stores.
func shortenAddresses(code []instruction) []instruction {
	out := make([]instruction, 0, len(code))
	for i := 0; i < len(code); i++ {
		if !isStackAddress(code[i:]) {
			out = append(out, code[i])
			continue
		}
		offset := code[i+2].operand
		next := i + 5
		out = append(out, code[i])
		at := -1
		if code[next].loads() {
			at = next
		} else {
			at = storeTo(code, next)
		}
		if at >= 0 && code[at].operand < maxOffset {
			code[at] = instruction{op: code[at].op, align: code[at].align, operand: code[at].operand + offset}
		} else {
			out = append(out, instruction{op: opI32Const, operand: offset}, instruction{op: opI32Add})
		}
		i = next - 1
	}
	return out
}

// isStackAddress reports whether code begins with the stack pointer and a positive constant, added in 64 bits.
func isStackAddress(code []instruction) bool {
	return len(code) > 5 && code[0].is(opLocalGet, localSP) && code[1].op == opI64ExtendU && code[2].op == opI64Const &&
		code[2].operand >= 0 && code[2].operand < maxOffset && code[3].op == opI64Add && code[4].op == opI32Wrap
}

// storeTo finds the store whose address is on the top of the stack before code[from], or returns -1.
func storeTo(code []instruction, from int) int {
	above := 0 // values above the address
	for i := from; i < len(code); i++ {
		pops, pushes, ok := code[i].effect()
		if !ok {
			return -1
		}
		if pops > above {
			if code[i].stores() && above == 1 {
				return i
			}
			return -1
		}
		above += pushes - pops
	}
	return -1
}

// shortenPairs rewrites pairs of instructions.
func shortenPairs(code []instruction) []instruction {
	out := make([]instruction, 0, len(code))
	for _, in := range code {
		if n := len(out); n > 0 {
			last := out[n-1]
			switch {
			case last.op == opLocalSet && in.is(opLocalGet, last.operand):
				out[n-1] = instruction{op: opLocalTee, operand: last.operand}
				continue
			case last.op == opI64ExtendU && in.op == opI32Wrap:
				out = out[:n-1]
				continue
			case last.op == opI64ExtendU && in.op == opI64Eqz:
				out[n-1] = instruction{op: opI32Eqz}
				continue
			}
		}
		out = append(out, in)
	}
	return out
}

// shortenReturns adds the sizes of the frame and of the return address to the stack pointer at once.
func shortenReturns(code []instruction) []instruction {
	out := make([]instruction, 0, len(code))
	for i := 0; i < len(code); i++ {
		if i+9 < len(code) && isAddToSP(code[i:]) && isAddToSP(code[i+5:]) {
			out = append(out, code[i], instruction{op: opI32Const, operand: code[i+1].operand + code[i+6].operand}, code[i+2], code[i+3], code[i+4])
			i += 9
			continue
		}
		out = append(out, code[i])
	}
	return out
}

// isAddToSP reports whether code begins with an addition to the stack pointer.
func isAddToSP(code []instruction) bool {
	return code[0].is(opLocalGet, localSP) && code[1].op == opI32Const && code[2].op == opI32Add && code[3].is(opLocalTee, localSP) &&
		code[4].is(opGlobalSet, globalSP)
}
