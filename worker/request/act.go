package request

import (
	"strconv"

	"plaza/data/events/modlog"
)

// BanDays are the durations of a ban, in days, that forms offer.
var BanDays = []int{1, 3, 7, 30, 90, 365}

// Act reads the fields that forms of decisions have.
func (c *Call) Act() modlog.Act {
	return modlog.Act{Action: modlog.Action(c.Value("decision")), Rule: c.Value("rule"), Note: c.Value("text"), Days: c.Days("days")}
}

// Days reads a field with a number of days. It returns 0 if the field is empty and -1 if it is no number, which is refused as too few.
func (c *Call) Days(name string) int {
	text := c.Value(name)
	if text == "" {
		return 0
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return -1
	}
	return n
}
