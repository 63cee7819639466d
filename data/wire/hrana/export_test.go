package hrana

// UseJSON makes a client begin with JSON, as it does with Turso.
func UseJSON(c *Client) { c.speech.Store(&speech{in: inJSON}) }

// InProto says the same as an answer in JSON that has up to 8 steps.
func InProto(answer string) string {
	for steps := range 9 {
		out, err := decodeJSON(answer, steps)
		if e, ok := err.(*Error); ok || err == nil {
			return string(protoAnswer(out, e))
		}
	}
	panic("not an answer: " + answer)
}
