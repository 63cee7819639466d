package worker

import "time"

// Limits of tries to sign in under one name, from networks from which its member has not
// signed in before. The first is for one network, so that one network alone can't use up
// the second, which is for all of them.
var (
	limitGuess    = limit{"guess", 5, 30 * time.Minute, true}
	limitGuessAll = limit{"guess-all", 10, 30 * time.Minute, true}
)

// limitGuesses counts a try to sign in under a name, and refuses when there were too
// many. It answers the same whether or not an account has the name. Tries from networks
// where the member has signed in before are not given to it.
func (a *App) limitGuesses(c *call, name string) error {
	subject := a.secretKey("name", name)
	wait := 0
	if network := a.networkKey(c); network != "" {
		var err error
		if wait, err = a.countCall(c, limitGuess, network+subject); err != nil {
			return err
		}
	}
	if wait == 0 {
		var err error
		if wait, err = a.countCall(c, limitGuessAll, subject); err != nil {
			return err
		}
	}
	if wait == 0 {
		return nil
	}
	return tooFast(c, wait, "There were many tries to sign in under this name. Please wait "+waitText(wait)+
		", or sign in with the username from a network where you have signed in before.")
}
