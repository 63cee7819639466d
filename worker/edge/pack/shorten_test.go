package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const nop = 0x01

// body is a function of Go's calling convention, of these instructions.
func body(code ...instruction) []byte {
	out := []byte{1, 2, i32} // two local variables behind the parameter: the stack pointer, and one more
	for _, in := range append([]instruction{{op: opGlobalGet}, {op: opLocalSet, operand: localSP}, {op: nop}}, code...) {
		out = in.append(out)
		switch in.op {
		case opBlock, opLoop, opIf:
			out = append(out, 0x40)
		case opBranchTable:
			out = appendUnsigned(out, len(in.labels)-1)
			for _, label := range in.labels {
				out = appendUnsigned(out, label)
			}
		}
	}
	return append(out, opEnd)
}

// text is what stands in a body behind its beginning, as numbers.
func text(t *testing.T, body []byte) string {
	t.Helper()
	var words []string
	r := reader{rest: body[3:]}
	for len(r.rest) > 0 {
		in, err := readInstruction(&r)
		require.NoError(t, err)
		words = append(words, fmt.Sprintf("%02x:%d", in.op, in.operand))
	}
	return strings.Join(words[3:len(words)-1], " ")
}

func TestShorten(t *testing.T) {
	in := func(op byte, operand ...int64) instruction {
		if len(operand) == 0 {
			return instruction{op: op}
		}
		return instruction{op: op, operand: operand[0], align: 3}
	}
	const load, store = 0x29, 0x37
	address := []instruction{in(opLocalGet, localSP), in(opI64ExtendU), in(opI64Const, 40), in(opI64Add), in(opI32Wrap)}
	with := func(parts ...any) (code []instruction) {
		for _, part := range parts {
			switch part := part.(type) {
			case instruction:
				code = append(code, part)
			case []instruction:
				code = append(code, part...)
			}
		}
		return code
	}
	jump := []instruction{in(opI32Const, 2), in(opLocalSet, localPCB), in(opBranch, 0)}
	to := func(number, depth int64) []instruction {
		return []instruction{in(opI32Const, number), in(opLocalSet, localPCB), in(opBranch, depth)}
	}
	// A function of three parts, of which the first is asked for by 0 and 1.
	parts := func(first, second, third []instruction) []instruction {
		return with(in(opLoop), in(opBlock), in(opBlock), in(opBlock), in(opLocalGet, localPCB), instruction{op: opBranchTable, labels: []int{0, 0, 1, 2}},
			in(opEnd), first, in(opEnd), second, in(opEnd), third, in(opEnd))
	}
	same := func(code []instruction) string { return text(t, body(code...)) }
	for name, test := range map[string]struct{ code, want []instruction }{
		"a load from the stack":    {with(address, in(load, 8)), with(in(opLocalGet, localSP), in(load, 48))},
		"a store on the stack":     {with(address, in(opI64Const, 5), in(store, 8)), with(in(opLocalGet, localSP), in(opI64Const, 5), in(store, 48))},
		"a store of a sum":         {with(address, in(opI64Const, 5), in(opI64Const, 6), in(opI64Add), in(store, 0)), with(in(opLocalGet, localSP), in(opI64Const, 5), in(opI64Const, 6), in(opI64Add), in(store, 40))},
		"a copy on the stack":      {with(address, address, in(load, 0), in(store, 8)), with(in(opLocalGet, localSP), in(opLocalGet, localSP), in(load, 40), in(store, 48))},
		"an address that is kept":  {with(address, in(opLocalSet, 2)), with(in(opLocalGet, localSP), in(opI32Const, 40), in(opI32Add), in(opLocalSet, 2))},
		"a store after a call":     {with(address, in(opI32Const, 0), in(opCall, 9), in(store, 0)), with(in(opLocalGet, localSP), in(opI32Const, 40), in(opI32Add), in(opI32Const, 0), in(opCall, 9), in(store, 0))},
		"an address of a long way": {with(in(opLocalGet, localSP), in(opI64ExtendU), in(opI64Const, maxOffset), in(opI64Add), in(opI32Wrap), in(load, 0)), nil},
		"another address":          {with(in(opLocalGet, 2), in(opI64ExtendU), in(opI64Const, 8), in(opI64Add), in(opI32Wrap), in(load, 0)), nil},
		"a value set and read":     {with(in(opLocalSet, 2), in(opLocalGet, 2)), with(in(opLocalTee, 2))},
		"a value set and another":  {with(in(opLocalSet, 2), in(opLocalGet, 1)), nil},
		"a conversion taken back":  {with(in(opI64ExtendU), in(opI32Wrap)), []instruction{}},
		"a comparison with zero":   {with(in(opI64ExtendU), in(opI64Eqz)), with(in(opI32Eqz))},
		"the end of a function": {
			with(in(opLocalGet, localSP), in(opI32Const, 64), in(opI32Add), in(opLocalTee, localSP), in(opGlobalSet, 0),
				in(opLocalGet, localSP), in(opI32Const, 8), in(opI32Add), in(opLocalTee, localSP), in(opGlobalSet, 0)),
			with(in(opLocalGet, localSP), in(opI32Const, 72), in(opI32Add), in(opLocalTee, localSP), in(opGlobalSet, 0)),
		},
		"a jump to the next part":      {parts(to(2, 2), nil, nil), parts(with(in(opBranch, 0)), nil, nil)},
		"a jump to the last part":      {parts(to(3, 2), nil, nil), parts(with(in(opBranch, 1)), nil, nil)},
		"a jump back":                  {parts(nil, to(1, 1), nil), nil},
		"a jump to where it is":        {parts(nil, to(2, 1), nil), nil},
		"a jump if":                    {parts(with(in(opIf), to(3, 3), in(opEnd)), nil, nil), parts(with(in(opBranchIf, 1)), nil, nil)},
		"a jump back if":               {parts(nil, with(in(opIf), to(1, 2), in(opEnd)), nil), nil},
		"a jump in a structure":        {parts(with(in(opBlock), to(3, 3), in(opEnd)), nil, nil), parts(with(in(opBlock), in(opBranch, 2), in(opEnd)), nil, nil)},
		"a branch elsewhere":           {parts(with(in(opBlock), to(3, 0), in(opEnd)), nil, nil), nil},
		"a jump without a table":       {with(in(opLoop), jump, in(opEnd)), nil},
		"a number that no part has":    {parts(to(4, 2), nil, nil), nil},
		"a jump if with more to do":    {parts(with(in(opIf), to(3, 3), in(opLocalGet, 2), in(opEnd)), nil, nil), parts(with(in(opIf), in(opBranch, 2), in(opLocalGet, 2), in(opEnd)), nil, nil)},
		"a table of something else":    {with(in(opBlock), in(opLocalGet, 2), instruction{op: opBranchTable, labels: []int{0, 0}}, in(opEnd), jump), nil},
		"a table that goes to a loop":  {with(in(opLoop), in(opLocalGet, localPCB), instruction{op: opBranchTable, labels: []int{0, 0, 0}}, in(opEnd), jump), nil},
		"a load of what is on the top": {with(in(opLocalGet, localSP), in(load, 8)), nil},
	} {
		t.Run(name, func(t *testing.T) {
			short, err := shorten(body(test.code...))
			require.NoError(t, err)
			want := same(test.want)
			if test.want == nil {
				want = same(test.code)
			}
			assert.Equal(t, want, text(t, short))
		})
	}

	other := append([]byte{0}, in(opLocalGet, 1).append(nil)...)
	short, err := shorten(other)
	require.NoError(t, err)
	assert.Equal(t, other, short, "a function that does not begin as Go's do")
	unknown := append(body(), 0xff)
	_, err = shorten(unknown)
	assert.ErrorIs(t, err, errUnknownInstruction)
	err = sections{{sectionCode, append(append([]byte{2, 1, 0}, byte(len(unknown))), unknown...)}}.shortenAll()
	assert.EqualError(t, err, "function 1 of the code section: "+errUnknownInstruction.Error()+": 0xff")
	_, err = shorten(append(body(), opPrefix, 12))
	assert.EqualError(t, err, errUnknownInstruction.Error()+": 0xfc 12")
	_, err = shorten(append(body(), opBlock, 0x80, 0x01))
	assert.ErrorIs(t, err, errUnknownInstruction, "a block of a type that is a number of two bytes")
	_, err = shorten(append(body(), opI64Const, 0x80))
	assert.ErrorIs(t, err, errBroken)
}
