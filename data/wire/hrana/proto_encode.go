package hrana

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/bits"
)

// The keys of fields: number<<3 | wire type, all in one byte. Each comment names the message. Schema: the end of the
// specification, and for what it leaves out libsql-hrana/src/proto.rs in the same repository.
const (
	varintType = 0
	fixed64    = 1
	bytesType  = 2
	fixed32    = 5

	keyRequests = 2<<3 | bytesType // PipelineReqBody
	keyResults  = 3<<3 | bytesType // PipelineRespBody

	keyOK    = 1<<3 | bytesType // StreamResult
	keyError = 2<<3 | bytesType

	keyClose   = 1<<3 | bytesType // StreamRequest, StreamResponse
	keyExecute = 2<<3 | bytesType
	keyBatch   = 3<<3 | bytesType

	keyExecuteStmt   = 1<<3 | bytesType // ExecuteStreamReq
	keyExecuteResult = 1<<3 | bytesType // ExecuteStreamResp
	keyBatchBatch    = 1<<3 | bytesType // BatchStreamReq
	keyBatchResult   = 1<<3 | bytesType // BatchStreamResp
	keySteps         = 1<<3 | bytesType // Batch

	keyCondition = 1<<3 | bytesType // BatchStep
	keyStmt      = 2<<3 | bytesType

	keySQL   = 1<<3 | bytesType // Stmt
	keyArgs  = 3<<3 | bytesType
	keyNamed = 4<<3 | bytesType

	keyName  = 1<<3 | bytesType // NamedArg
	keyValue = 2<<3 | bytesType

	keyStepOK    = 1<<3 | varintType // BatchCond
	keyStepError = 2<<3 | varintType
	keyNot       = 3<<3 | bytesType
	keyAnd       = 4<<3 | bytesType
	keyOr        = 5<<3 | bytesType
	keyConds     = 1<<3 | bytesType // CondList

	keyNull    = 1<<3 | bytesType // Value
	keyInteger = 2<<3 | varintType
	keyFloat   = 3<<3 | fixed64
	keyText    = 4<<3 | bytesType
	keyBlob    = 5<<3 | bytesType
)

// appendProto writes the pipeline [batch, close] of steps that were checked. A message is preceded by its size, so that
// is computed first.
func appendProto(dst []byte, steps []Step) []byte {
	size := 0
	for i := range steps {
		size += sizeOfField(sizeOfStep(&steps[i]))
	}
	batch := sizeOfField(size)
	request := sizeOfField(batch)
	if dst == nil {
		dst = make([]byte, 0, sizeOfField(request)+4)
	}
	dst = appendKey(dst, keyRequests, request)
	dst = appendKey(dst, keyBatch, batch)
	dst = appendKey(dst, keyBatchBatch, size)
	for i := range steps {
		dst = appendStepProto(dst, &steps[i])
	}
	return append(dst, closeProto...)
}

// closeProto is the request at the end of a pipeline.
var closeProto = []byte{keyRequests, 2, keyClose, 0}

// markProto puts a statement beside the batch in a pipeline.
func markProto(body []byte, as marking) []byte {
	stmt := sizeOfField(len(markSQL))
	execute := sizeOfField(stmt)
	mark := make([]byte, 0, len(markSQL)+8+len(body))
	mark = appendKey(mark, keyRequests, sizeOfField(execute))
	mark = appendKey(mark, keyExecute, execute)
	mark = appendKey(mark, keyExecuteStmt, stmt)
	mark = append(appendKey(mark, keySQL, len(markSQL)), markSQL...)
	if as == ahead {
		return append(mark, body...)
	}
	return append(append(bytes.TrimSuffix(body, closeProto), mark...), closeProto...)
}

func appendKey(dst []byte, key byte, size int) []byte {
	return binary.AppendUvarint(append(dst, key), uint64(size))
}

func appendStepProto(dst []byte, s *Step) []byte {
	dst = appendKey(dst, keySteps, sizeOfStep(s))
	if s.If.op != condAlways {
		dst = appendKey(dst, keyCondition, sizeOfCond(s.If))
		dst = appendCondProto(dst, s.If)
	}
	dst = appendKey(dst, keyStmt, sizeOfStmt(&s.Stmt))
	dst = appendKey(dst, keySQL, len(s.SQL))
	dst = append(dst, s.SQL...)
	for _, arg := range s.Args {
		dst = appendKey(dst, keyArgs, sizeOfValue(arg))
		dst = appendValueProto(dst, arg)
	}
	for i := range s.Named {
		arg := &s.Named[i]
		dst = appendKey(dst, keyNamed, sizeOfNamed(arg))
		dst = append(appendKey(dst, keyName, len(arg.Name)), arg.Name...)
		dst = appendValueProto(appendKey(dst, keyValue, sizeOfValue(arg.Value)), arg.Value)
	}
	return dst
}

// Fields of a oneof are written even when they are zero.
func appendCondProto(dst []byte, c Cond) []byte {
	switch c.op {
	case condOK:
		return appendKey(dst, keyStepOK, c.step)
	case condError:
		return appendKey(dst, keyStepError, c.step)
	case condNot:
		dst = appendKey(dst, keyNot, sizeOfCond(c.conds[0]))
		return appendCondProto(dst, c.conds[0])
	case condAnd:
		dst = appendKey(dst, keyAnd, sizeOfConds(c.conds))
	case condOr:
		dst = appendKey(dst, keyOr, sizeOfConds(c.conds))
	}
	for i := range c.conds {
		dst = appendKey(dst, keyConds, sizeOfCond(c.conds[i]))
		dst = appendCondProto(dst, c.conds[i])
	}
	return dst
}

func appendValueProto(dst []byte, arg any) []byte {
	switch v := arg.(type) {
	case bool, int, int64:
		return binary.AppendUvarint(append(dst, keyInteger), zigzag(v))
	case float64:
		return binary.LittleEndian.AppendUint64(append(dst, keyFloat), math.Float64bits(v))
	case string:
		return append(appendKey(dst, keyText, len(v)), v...)
	case []byte:
		return append(appendKey(dst, keyBlob, len(v)), v...)
	}
	return append(dst, keyNull, 0)
}

// zigzag is how sint64 travels: 0, -1, 1, -2, ...
func zigzag(arg any) uint64 {
	var n int64
	switch v := arg.(type) {
	case bool:
		if v {
			n = 1
		}
	case int:
		n = int64(v)
	case int64:
		n = v
	}
	return uint64(n)<<1 ^ uint64(n>>63)
}

func sizeOfVarint(v uint64) int { return (bits.Len64(v|1) + 6) / 7 }

// sizeOfField is the size of a field that holds so many bytes.
func sizeOfField(content int) int { return 1 + sizeOfVarint(uint64(content)) + content }

func sizeOfStep(s *Step) int {
	size := sizeOfField(sizeOfStmt(&s.Stmt))
	if s.If.op != condAlways {
		size += sizeOfField(sizeOfCond(s.If))
	}
	return size
}

func sizeOfStmt(s *Stmt) int {
	size := sizeOfField(len(s.SQL))
	for _, arg := range s.Args {
		size += sizeOfField(sizeOfValue(arg))
	}
	for i := range s.Named {
		size += sizeOfField(sizeOfNamed(&s.Named[i]))
	}
	return size
}

func sizeOfNamed(arg *Named) int {
	return sizeOfField(len(arg.Name)) + sizeOfField(sizeOfValue(arg.Value))
}

func sizeOfCond(c Cond) int {
	switch c.op {
	case condOK, condError:
		return 1 + sizeOfVarint(uint64(c.step))
	case condNot:
		return sizeOfField(sizeOfCond(c.conds[0]))
	}
	return sizeOfField(sizeOfConds(c.conds))
}

func sizeOfConds(conds []Cond) int {
	size := 0
	for i := range conds {
		size += sizeOfField(sizeOfCond(conds[i]))
	}
	return size
}

func sizeOfValue(arg any) int {
	switch v := arg.(type) {
	case bool, int, int64:
		return 1 + sizeOfVarint(zigzag(v))
	case float64:
		return 9
	case string:
		return sizeOfField(len(v))
	case []byte:
		return sizeOfField(len(v))
	}
	return 2
}
