package worker

import (
	"strconv"

	"plaza/data/modlog"
)

// banDays are how long a ban can be, in the form.
var banDays = []int{1, 3, 7, 30, 90, 365}

// act reads the fields that forms of decisions have.
func (c *call) act() modlog.Act {
	return modlog.Act{Action: modlog.Action(c.value("decision")), Rule: c.value("rule"), Note: c.value("text"), Days: c.days("days")}
}

// days is a field of days. 0 is an empty one, and what is no number is refused as too few.
func (c *call) days(name string) int {
	text := c.value(name)
	if text == "" {
		return 0
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return -1
	}
	return n
}
