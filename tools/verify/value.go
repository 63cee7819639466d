package verify

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
)

func equal(a, b any) bool {
	x, isX := number(a)
	y, isY := number(b)
	if isX && isY {
		return x == y
	}
	return a == b
}

// oneStep is for values that are rounded to seven decimals: the logarithm of another platform may round the other way.
func oneStep(a, b any) bool {
	x, isX := number(a)
	y, isY := number(b)
	return isX && isY && math.Abs(x-y) < 1.5e-7
}

// nearly is for values whose last bits depend on the platform's power, or on their encoding in JSON.
func nearly(a, b any) bool {
	x, isX := number(a)
	y, isY := number(b)
	return isX && isY && math.Abs(x-y) <= 1e-9*math.Max(math.Abs(x), math.Abs(y))
}

// number returns a value as a float, which is exact for counters: they stay below 2^53. Ids may be higher, and are compared without it.
func number(v any) (float64, bool) {
	switch n := v.(type) {
	case float64:
		return n, true
	case int64:
		if n > -1<<53 && n < 1<<53 {
			return float64(n), true
		}
	}
	return 0, false
}

// text returns a value for reports.
func text(v any) string {
	switch v := v.(type) {
	case nil:
		return "nothing"
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case string:
		if r := []rune(v); len(r) > 100 {
			v = string(r[:99]) + "…"
		}
		return strconv.Quote(v)
	}
	return fmt.Sprint(v)
}

func jsonOf(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // of numbers and texts
	}
	return string(b)
}
