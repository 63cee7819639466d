package hrana

import (
	"encoding/base64"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"
)

// appendRequest writes the pipeline [batch, close]. It is written by hand because encoding/json spends most of a small
// request in reflection, which Wasm makes ten times as slow.
func appendRequest(dst []byte, steps []Step) ([]byte, error) {
	if dst == nil {
		dst = make([]byte, 0, requestSize(steps))
	}
	dst = append(dst, `{"baton":null,"requests":[{"type":"batch","batch":{"steps":[`...)
	for i := range steps {
		if i > 0 {
			dst = append(dst, ',')
		}
		var err error
		if dst, err = appendStep(dst, &steps[i], i); err != nil {
			return nil, &Error{Step: i, Code: "ARGS_INVALID", Message: err.Error()}
		}
	}
	return append(dst, `]}},{"type":"close"}]}`...), nil
}

func requestSize(steps []Step) int {
	size := 128
	for i := range steps {
		size += len(steps[i].SQL) + 128
		for _, arg := range steps[i].Args {
			size += 48
			switch v := arg.(type) {
			case string:
				size += len(v) + len(v)/16
			case []byte:
				size += base64.RawStdEncoding.EncodedLen(len(v))
			}
		}
	}
	return size
}

func appendStep(dst []byte, s *Step, place int) ([]byte, error) {
	dst = append(dst, '{')
	if s.If.op != condAlways {
		dst = append(dst, `"condition":`...)
		var err error
		if dst, err = appendCond(dst, s.If, place); err != nil {
			return nil, err
		}
		dst = append(dst, ',')
	}
	if !utf8.ValidString(s.SQL) {
		return nil, fmt.Errorf("the statement is not valid UTF-8")
	}
	dst = append(dst, `"stmt":{"sql":`...)
	dst = appendText(dst, s.SQL)
	if len(s.Args) > 0 {
		dst = append(dst, `,"args":[`...)
		for i, arg := range s.Args {
			if i > 0 {
				dst = append(dst, ',')
			}
			var err error
			if dst, err = appendValue(dst, arg); err != nil {
				return nil, fmt.Errorf("argument %d %w", i+1, err)
			}
		}
		dst = append(dst, ']')
	}
	return append(dst, `}}`...), nil
}

func appendCond(dst []byte, c Cond, place int) ([]byte, error) {
	switch c.op {
	case condOK, condError:
		if c.step < 0 || c.step >= place {
			return nil, fmt.Errorf("the condition refers to step %d, which is not an earlier one", c.step)
		}
		if c.op == condOK {
			dst = append(dst, `{"type":"ok","step":`...)
		} else {
			dst = append(dst, `{"type":"error","step":`...)
		}
		return append(strconv.AppendInt(dst, int64(c.step), 10), '}'), nil
	case condNot:
		dst, err := appendCond(append(dst, `{"type":"not","cond":`...), c.conds[0], place)
		return append(dst, '}'), err
	case condAnd:
		dst = append(dst, `{"type":"and","conds":[`...)
	case condOr:
		dst = append(dst, `{"type":"or","conds":[`...)
	default:
		return nil, fmt.Errorf("the condition contains an empty condition")
	}
	for i := range c.conds {
		if i > 0 {
			dst = append(dst, ',')
		}
		var err error
		if dst, err = appendCond(dst, c.conds[i], place); err != nil {
			return nil, err
		}
	}
	return append(dst, `]}`...), nil
}

func appendValue(dst []byte, arg any) ([]byte, error) {
	switch v := arg.(type) {
	case nil:
		return append(dst, `{"type":"null"}`...), nil
	case bool:
		if v {
			return append(dst, `{"type":"integer","value":"1"}`...), nil
		}
		return append(dst, `{"type":"integer","value":"0"}`...), nil
	case int:
		return appendInt(dst, int64(v)), nil
	case int64:
		return appendInt(dst, v), nil
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("is %v, which JSON cannot carry", v)
		}
		dst = append(dst, `{"type":"float","value":`...)
		return append(strconv.AppendFloat(dst, v, 'g', -1, 64), '}'), nil
	case string:
		if !utf8.ValidString(v) {
			return nil, fmt.Errorf("is not valid UTF-8; pass []byte for a blob")
		}
		dst = append(dst, `{"type":"text","value":`...)
		return append(appendText(dst, v), '}'), nil
	case []byte:
		dst = append(dst, `{"type":"blob","base64":"`...)
		dst = base64.RawStdEncoding.AppendEncode(dst, v)
		return append(dst, `"}`...), nil
	}
	return nil, fmt.Errorf("has type %T; use nil, bool, int, int64, float64, string or []byte", arg)
}

// Integers travel as text because a JSON number is exact only up to 2^53.
func appendInt(dst []byte, v int64) []byte {
	dst = append(dst, `{"type":"integer","value":"`...)
	return append(strconv.AppendInt(dst, v, 10), `"}`...)
}

func appendText(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	done := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		dst = append(dst, s[done:i]...)
		done = i + 1
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, '\\', 'n')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	dst = append(dst, s[done:]...)
	return append(dst, '"')
}
