package upstash

import (
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"

	"plaza/data/wire/jsonscan"
)

// Cmd is a command's name and its arguments: string, []byte, int, int64 or float64. Strings and bytes must be UTF-8. A float is sent in
// the shortest decimal form that parses to the same float, infinities as +inf and -inf.
type Cmd []any

// appendCmd appends the command as a JSON array of strings.
func appendCmd(dst []byte, cmd Cmd) ([]byte, error) {
	if len(cmd) == 0 {
		return dst, fmt.Errorf("upstash: empty command")
	}
	dst = append(dst, '[')
	for i, arg := range cmd {
		if i > 0 {
			dst = append(dst, ',')
		}
		var err error
		if dst, err = appendArg(dst, arg); err != nil {
			return dst, fmt.Errorf("upstash: %v: argument %d: %w", cmd[0], i, err)
		}
	}
	return append(dst, ']'), nil
}

func appendArg(dst []byte, arg any) ([]byte, error) {
	switch v := arg.(type) {
	case string:
		if !utf8.ValidString(v) {
			return dst, fmt.Errorf("is not UTF-8")
		}
		return jsonscan.AppendText(dst, v), nil
	case []byte:
		if !utf8.Valid(v) {
			return dst, fmt.Errorf("is not UTF-8")
		}
		return jsonscan.AppendText(dst, string(v)), nil
	}
	dst = append(dst, '"')
	switch v := arg.(type) {
	case int:
		dst = strconv.AppendInt(dst, int64(v), 10)
	case int64:
		dst = strconv.AppendInt(dst, v, 10)
	case float64:
		if math.IsNaN(v) {
			return dst, fmt.Errorf("is not a number")
		}
		dst = appendFloat(dst, v)
	default:
		return dst, fmt.Errorf("of type %T is not supported", arg)
	}
	return append(dst, '"'), nil
}

// appendFloat writes numbers from 1e-6 to 1e21 without an exponent, because commands with integer arguments refuse 1e+06.
func appendFloat(dst []byte, f float64) []byte {
	switch abs := math.Abs(f); {
	case math.IsInf(f, 1):
		return append(dst, "+inf"...)
	case math.IsInf(f, -1):
		return append(dst, "-inf"...)
	case abs != 0 && (abs < 1e-6 || abs >= 1e21):
		return strconv.AppendFloat(dst, f, 'e', -1, 64)
	}
	return strconv.AppendFloat(dst, f, 'f', -1, 64)
}
