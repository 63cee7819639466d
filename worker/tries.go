package worker

// limitTries counts a try for an account or address, from wherever it comes, and refuses when there were too many.
func (a *App) limitTries(c *call, l limit, subject string) error {
	wait, err := a.countCall(c, l, subject)
	if err == nil && wait > 0 {
		err = tooFast(c, wait, "Too many tries. Please wait "+waitText(wait)+" and try again.")
	}
	return err
}
