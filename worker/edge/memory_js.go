//go:build js && wasm

package edge

import "unsafe"

// The functions of shim/memory.mjs, which read and write Go's memory. They pass what each request needs: a js.Value for each string would
// cost several calls, and one more by the garbage collector.

//go:wasmimport plaza fetch
func memoryFetch(turn, op int32, head string, body unsafe.Pointer, length int32) int32

//go:wasmimport plaza respond
func memoryRespond(turn, code int32, lines string, body unsafe.Pointer, length int32, last bool)

//go:wasmimport plaza length
func memoryLength(what int32) int32

//go:wasmimport plaza read
func memoryRead(what int32, into unsafe.Pointer)

//go:wasmimport plaza number
func memoryNumber(what int32) int32

// What the shim has for Go.
const (
	headOfTurn  = 0 // what the event is about
	bodyOfTurn  = 1 // of its request
	replyLines  = 2 // of the operation that is over, or why one was refused
	replyBytes  = 3
	replyOp     = 4 // a number, as is the next
	replyStatus = 5
)

// What memoryFetch returns.
const (
	fetchRuns    = 0
	fetchRefused = 1 // replyLines says why
)

// take copies bytes from the shim; it returns nil if there are none.
func take(what int32) []byte {
	n := memoryLength(what)
	if n == 0 {
		return nil
	}
	bytes := make([]byte, n)
	memoryRead(what, unsafe.Pointer(unsafe.SliceData(bytes)))
	return bytes
}

// takeText is take for a string, which uses the bytes without copying them.
func takeText(what int32) string {
	bytes := take(what)
	return unsafe.String(unsafe.SliceData(bytes), len(bytes))
}

// takeReply returns the result of the operation that is over.
func takeReply() (op int, r reply) {
	op = int(memoryNumber(replyOp))
	r = reply{code: int(memoryNumber(replyStatus)), lines: takeText(replyLines), body: takeText(replyBytes)}
	return op, r
}
