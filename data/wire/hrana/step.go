package hrana

// Step is a statement of a batch and the condition under which it runs.
type Step struct {
	Stmt
	// If the condition does not hold the step is skipped. The zero Cond always holds.
	If Cond
}

// StepResult is the result of a step: a result, an error, or neither because it was skipped.
type StepResult struct {
	Result  Result
	Err     *Error
	Skipped bool
}

// Cond is a condition on earlier steps of the same batch.
type Cond struct {
	op    byte
	step  int
	conds []Cond
}

const (
	condAlways = iota
	condOK
	condError
	condNot
	condAnd
	condOr
)

// IfOK holds when the step ran without error; a skipped step did not run.
func IfOK(step int) Cond { return Cond{op: condOK, step: step} }

// IfError holds when the step failed. sqld counts a skipped step as failed, against the specification: add IfOK of the step before if
// that matters.
func IfError(step int) Cond { return Cond{op: condError, step: step} }

// Not holds when c does not.
func Not(c Cond) Cond { return Cond{op: condNot, conds: []Cond{c}} }

// And holds when all of them do.
func And(conds ...Cond) Cond { return Cond{op: condAnd, conds: conds} }

// Or holds when one of them does.
func Or(conds ...Cond) Cond { return Cond{op: condOr, conds: conds} }
