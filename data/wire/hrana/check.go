package hrana

import (
	"fmt"
	"math"
	"unicode/utf8"
)

// check refuses arguments that can't be sent.
func check(steps []Step) error {
	for i := range steps {
		if err := checkStep(&steps[i], i); err != nil {
			return &Error{Step: i, Code: "ARGS_INVALID", Message: err.Error()}
		}
	}
	return nil
}

func checkStep(s *Step, index int) error {
	if s.If.op != condAlways {
		if err := checkCond(s.If, index); err != nil {
			return err
		}
	}
	if !utf8.ValidString(s.SQL) {
		return fmt.Errorf("the statement is not valid UTF-8")
	}
	if len(s.Args) > 0 && len(s.Named) > 0 {
		return fmt.Errorf("the statement has arguments by number and by name")
	}
	for i, arg := range s.Args {
		if err := checkValue(arg); err != nil {
			return fmt.Errorf("argument %d %w", i+1, err)
		}
	}
	for _, arg := range s.Named {
		if !utf8.ValidString(arg.Name) {
			return fmt.Errorf("the name of an argument is not valid UTF-8")
		}
		if err := checkValue(arg.Value); err != nil {
			return fmt.Errorf("argument :%s %w", arg.Name, err)
		}
	}
	return nil
}

func checkCond(c Cond, index int) error {
	switch c.op {
	case condOK, condError:
		if c.step < 0 || c.step >= index {
			return fmt.Errorf("the condition refers to step %d, which is not an earlier one", c.step)
		}
	case condAlways:
		return fmt.Errorf("the condition contains an empty condition")
	}
	for _, inner := range c.conds {
		if err := checkCond(inner, index); err != nil {
			return err
		}
	}
	return nil
}

func checkValue(arg any) error {
	switch v := arg.(type) {
	case nil, bool, int, int64, []byte:
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("is %v, which JSON can't encode", v)
		}
	case string:
		if !utf8.ValidString(v) {
			return fmt.Errorf("is not valid UTF-8; pass []byte for a blob")
		}
	default:
		return fmt.Errorf("has type %T; use nil, bool, int, int64, float64, string or []byte", arg)
	}
	return nil
}
