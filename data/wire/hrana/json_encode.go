package hrana

import (
	"bytes"
	"encoding/base64"
	"strconv"

	"plaza/data/wire/jsonscan"
)

// appendJSON writes the pipeline [batch, close] of steps that were checked. It is written by hand because encoding/json
// spends most of a small request in reflection, which Wasm makes ten times as slow.
func appendJSON(dst []byte, steps []Step) []byte {
	if dst == nil {
		dst = make([]byte, 0, sizeOfJSON(steps))
	}
	dst = append(dst, startJSON+`{"type":"batch","batch":{"steps":[`...)
	for i := range steps {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendStepJSON(dst, &steps[i])
	}
	return append(dst, `]}},`+closeJSON...)
}

const (
	startJSON  = nullBaton + `,"requests":[`
	markInJSON = `{"type":"execute","stmt":{"sql":"` + markSQL + `"}},`
)

// markJSON puts a statement beside the batch in a pipeline.
func markJSON(body []byte, as marking) []byte {
	if as == ahead {
		return append([]byte(startJSON+markInJSON), body[len(startJSON):]...)
	}
	return append(bytes.TrimSuffix(body, []byte(closeJSON)), markInJSON+closeJSON...)
}

// sizeOfJSON is a guess.
func sizeOfJSON(steps []Step) int {
	size := 128
	for i := range steps {
		size += len(steps[i].SQL) + 128
		for _, arg := range steps[i].Args {
			size += sizeOfValueJSON(arg)
		}
		for _, arg := range steps[i].Named {
			size += len(arg.Name) + 24 + sizeOfValueJSON(arg.Value)
		}
	}
	return size
}

func sizeOfValueJSON(arg any) int {
	const frame = 48
	switch v := arg.(type) {
	case string:
		return frame + len(v) + len(v)/16
	case []byte:
		return frame + base64.RawStdEncoding.EncodedLen(len(v))
	}
	return frame
}

func appendStepJSON(dst []byte, s *Step) []byte {
	dst = append(dst, '{')
	if s.If.op != condAlways {
		dst = append(dst, `"condition":`...)
		dst = append(appendCondJSON(dst, s.If), ',')
	}
	dst = append(dst, `"stmt":{"sql":`...)
	dst = jsonscan.AppendText(dst, s.SQL)
	if len(s.Args) > 0 {
		dst = append(dst, `,"args":[`...)
		for i, arg := range s.Args {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendValueJSON(dst, arg)
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
			dst = append(appendValueJSON(append(dst, `,"value":`...), arg.Value), '}')
		}
		dst = append(dst, ']')
	}
	return append(dst, `}}`...)
}

func appendCondJSON(dst []byte, c Cond) []byte {
	switch c.op {
	case condOK:
		dst = append(dst, `{"type":"ok","step":`...)
		return append(strconv.AppendInt(dst, int64(c.step), 10), '}')
	case condError:
		dst = append(dst, `{"type":"error","step":`...)
		return append(strconv.AppendInt(dst, int64(c.step), 10), '}')
	case condNot:
		return append(appendCondJSON(append(dst, `{"type":"not","cond":`...), c.conds[0]), '}')
	case condAnd:
		dst = append(dst, `{"type":"and","conds":[`...)
	case condOr:
		dst = append(dst, `{"type":"or","conds":[`...)
	}
	for i := range c.conds {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendCondJSON(dst, c.conds[i])
	}
	return append(dst, `]}`...)
}

func appendValueJSON(dst []byte, arg any) []byte {
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

// Integers travel as text because a JSON number is exact only up to 2^53.
func appendInt(dst []byte, v int64) []byte {
	dst = append(dst, `{"type":"integer","value":"`...)
	return append(strconv.AppendInt(dst, v, 10), `"}`...)
}
