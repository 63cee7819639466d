package hrana

import (
	"encoding/base64"
	"strconv"

	"plaza/data/wire/jsonscan"
)

// frame is the part of a request around its batch.
type frame struct {
	baton string // continues this stream, "" for a new one
	ahead bool   // a statement is executed before the batch (replica.go)
	stays bool   // the stream stays open
}

// encode writes the pipeline [batch, close] of steps that were checked. If the stream stays open, a small request replaces the close. The
// code is by hand because encoding/json spends most of the time of a small request in reflection, which is ten times as slow in Wasm.
func encode(steps []Step, in frame) []byte {
	dst := append(make([]byte, 0, sizeOf(steps)), `{"baton":`...)
	if in.baton == "" {
		dst = append(dst, "null"...)
	} else {
		dst = jsonscan.AppendText(dst, in.baton)
	}
	dst = append(dst, `,"requests":[`...)
	if in.ahead {
		dst = append(dst, `{"type":"execute","stmt":{"sql":"SELECT 1"}},`...)
	}
	dst = append(dst, `{"type":"batch","batch":{"steps":[`...)
	for i := range steps {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendStep(dst, &steps[i])
	}
	dst = append(dst, `]}},`...)
	if in.stays {
		return append(dst, `{"type":"get_autocommit"}]}`...)
	}
	return append(dst, `{"type":"close"}]}`...)
}

// sizeOf is an estimate.
func sizeOf(steps []Step) int {
	size := 128
	for i := range steps {
		size += len(steps[i].SQL) + 128
		for _, arg := range steps[i].Args {
			size += sizeOfValue(arg)
		}
		for _, arg := range steps[i].Named {
			size += len(arg.Name) + 24 + sizeOfValue(arg.Value)
		}
	}
	return size
}

func sizeOfValue(arg any) int {
	const around = 48
	switch v := arg.(type) {
	case string:
		return around + len(v) + len(v)/16
	case []byte:
		return around + base64.RawStdEncoding.EncodedLen(len(v))
	}
	return around
}

func appendStep(dst []byte, s *Step) []byte {
	dst = append(dst, '{')
	if s.If.op != condAlways {
		dst = append(dst, `"condition":`...)
		dst = append(appendCond(dst, s.If), ',')
	}
	dst = append(dst, `"stmt":{"sql":`...)
	dst = jsonscan.AppendText(dst, s.SQL)
	if len(s.Args) > 0 {
		dst = append(dst, `,"args":[`...)
		for i, arg := range s.Args {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendValue(dst, arg)
		}
		dst = append(dst, ']')
	}
	if len(s.Named) > 0 {
		dst = append(dst, `,"named_args":[`...)
		for i, arg := range s.Named {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = jsonscan.AppendText(append(dst, `{"name":`...), arg.Name)
			dst = append(appendValue(append(dst, `,"value":`...), arg.Value), '}')
		}
		dst = append(dst, ']')
	}
	return append(dst, `}}`...)
}

func appendCond(dst []byte, c Cond) []byte {
	switch c.op {
	case condOK:
		dst = append(dst, `{"type":"ok","step":`...)
		return append(strconv.AppendInt(dst, int64(c.step), 10), '}')
	case condError:
		dst = append(dst, `{"type":"error","step":`...)
		return append(strconv.AppendInt(dst, int64(c.step), 10), '}')
	case condNot:
		return append(appendCond(append(dst, `{"type":"not","cond":`...), c.conds[0]), '}')
	case condAnd:
		dst = append(dst, `{"type":"and","conds":[`...)
	case condOr:
		dst = append(dst, `{"type":"or","conds":[`...)
	}
	for i := range c.conds {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendCond(dst, c.conds[i])
	}
	return append(dst, `]}`...)
}

func appendValue(dst []byte, arg any) []byte {
	switch v := arg.(type) {
	case bool:
		if v {
			return append(dst, `{"type":"integer","value":"1"}`...)
		}
		return append(dst, `{"type":"integer","value":"0"}`...)
	case int:
		return appendInt(dst, int64(v))
	case int64:
		return appendInt(dst, v)
	case float64:
		dst = append(dst, `{"type":"float","value":`...)
		return append(strconv.AppendFloat(dst, v, 'g', -1, 64), '}')
	case string:
		dst = append(dst, `{"type":"text","value":`...)
		return append(jsonscan.AppendText(dst, v), '}')
	case []byte:
		dst = append(dst, `{"type":"blob","base64":"`...)
		dst = base64.RawStdEncoding.AppendEncode(dst, v)
		return append(dst, `"}`...)
	}
	return append(dst, `{"type":"null"}`...)
}

// Integers are sent as text because a JSON number is exact only up to 2^53.
func appendInt(dst []byte, v int64) []byte {
	dst = append(dst, `{"type":"integer","value":"`...)
	return append(strconv.AppendInt(dst, v, 10), `"}`...)
}
