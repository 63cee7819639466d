package hrana

import "time"

// UseJSON makes a client begin with JSON, as it does with Turso.
func UseJSON(c *Client) {
	c.speech.Store(&speech{in: inJSON})
	if c.replica != nil {
		UseJSON(c.replica)
	}
}

// InProto says the same as an answer in JSON that has up to 8 steps.
func InProto(answer string) string {
	for steps := range 9 {
		out, err := stepsInJSON(answer, steps)
		if e, ok := err.(*Error); ok || err == nil {
			return string(protoAnswer(out, e))
		}
	}
	panic("not an answer: " + answer)
}

// stepsInJSON reads an answer to [batch, close].
func stepsInJSON(body string, steps int) ([]StepResult, error) {
	out, err := decodeJSON(body, steps, false)
	return out.steps, err
}

// stepsInProto does so in Protobuf.
func stepsInProto(body string, steps int) ([]StepResult, error) {
	out, err := decodeProto(body, steps, false)
	return out.steps, err
}

// Reached has a client know of the primary what another knew, some time ago.
func Reached(c, other *Client, ago time.Duration) {
	c.reached.index, c.reached.at = other.reached.index, time.Now().Add(ago)
}
