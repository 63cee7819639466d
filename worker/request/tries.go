package request

// LimitTries counts a try for an account or address, from wherever it comes, and refuses when there were too many.
func (a *Server) LimitTries(c *Call, l Limit, subject string) error {
	wait, err := a.CountCall(c, l, subject)
	if err == nil && wait > 0 {
		err = TooFast(c, wait, "Too many tries. Please wait "+WaitText(wait)+" and try again.")
	}
	return err
}
