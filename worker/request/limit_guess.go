package request

import (
	"time"

	"plaza/locale"
)

// How often anybody may try to log in under one name, from networks from which its member has not logged in before:
// from one network, and from all of them together. One network may try less often, so that it can't use up the tries
// of all.
var (
	limitGuess    = Limit{"guess", 5, 30 * time.Minute, true}
	limitGuessAll = Limit{"guess-all", 10, 30 * time.Minute, true}
)

// LimitGuesses counts a try to log in under a name, and refuses when there were too many. It does the same whether
// or not an account has the name. It is not called for networks where the member has logged in before.
func (s *Server) LimitGuesses(c *Call, name string) error {
	subject := s.SecretKey("name", name)
	wait := 0
	if network := s.NetworkKey(c); network != "" {
		var err error
		if wait, err = s.CountCall(c, limitGuess, network+subject); err != nil {
			return err
		}
	}
	if wait == 0 {
		var err error
		if wait, err = s.CountCall(c, limitGuessAll, subject); err != nil {
			return err
		}
	}
	if wait == 0 {
		return nil
	}
	return TooFast(c, wait, locale.With("Too many tries to log in under this name. Please wait {}, or log in with the username from a "+
		"network "+
		"where you have logged in before, {}.", WaitText(wait), s.otherWays()))
}

// otherWays names the ways to log in that this site offers beside a password; guesses under a name do not close them. It names the same
// ways for every account.
func (s *Server) otherWays() locale.Text {
	ways := []locale.Text{"with a passkey"}
	if s.Mail != nil {
		ways = append(ways, "by a link that we mail you")
	}
	for _, p := range s.Providers {
		ways = append(ways, locale.With("with your account at {}", p.Label))
	}
	if len(ways) == 1 {
		return locale.With("or {}", ways[0])
	}
	return either(ways)
}
