package request

import "time"

// Most people vote, comment and search so seldom that they come nowhere near a limit. To count each of their calls in Redis would cost
// three commands, and the caller a wait. So an instance counts by itself as long as the calls of a member, or of a visitor's network, in
// this window and the one before are at most an eighth of the limit. Then it tells Redis of all of this window, and from there on of each
// call. So somebody whose calls reach several instances is allowed at most an eighth of the limit more by each of them.
//
// This is not for limits that count networks even if a member calls: those of logging in, signing up and mails. It is for no limit with
// Config.LimitsExact.
const tallyPart = 8

// tally are the calls of a limit that an instance has counted for a member or network.
type tally struct {
	window        int64 // of the last call
	count, before int64 // calls of that window, and of the one before
	untold        int64 // calls of that window that Redis was not told of
	neverTold     int64 // calls of the window before that it was not told of
	ends          time.Time
}

// exact tells whether Redis counts each call of a limit.
func (s *Server) exact(l Limit) bool { return l.Network || s.LimitsExact }

// seldom tells whether so few calls come nowhere near a limit, or the tighter one of new members.
func (s *Server) seldom(l Limit, t tally) bool {
	most := l.Max
	if tight := YoungLimits[l.Name].Max; tight > 0 {
		most = min(most, tight)
	}
	return t.count+t.before <= int64(most*s.LimitFactor/tallyPart)
}

// tallyCall counts a call, as one or several, in this instance. told reports whether Redis is told of all calls of the tally now.
func (s *Server) tallyCall(l Limit, subject string, window, cost int64) (t tally, told bool) {
	key := l.Name + ":" + subject
	s.mu.Lock()
	defer s.mu.Unlock()
	t, there := s.tallies[key]
	if !there && len(s.tallies) >= budgetsKept {
		s.dropTallies()
	}
	switch t.window {
	case window:
	case window - 1:
		t = tally{before: t.count, neverTold: t.untold}
	default:
		t = tally{}
	}
	t.window, t.ends = window, time.Unix(0, (window+2)*int64(l.Per))
	t.count += cost
	t.untold += cost
	kept := t
	if told = s.Redis != nil && (s.exact(l) || !s.seldom(l, t)); told {
		kept.untold = 0
	}
	s.tallies[key] = kept
	return t, told
}

// dropTallies makes room: it forgets what no limit needs any more, or all if that is nothing.
func (s *Server) dropTallies() {
	now := s.Source.Now()
	for key, t := range s.tallies {
		if now.After(t.ends) {
			delete(s.tallies, key)
		}
	}
	if len(s.tallies) >= budgetsKept {
		clear(s.tallies)
	}
}
