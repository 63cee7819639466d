package request

import "time"

// Most people vote, comment and search so seldom that they come nowhere near a limit. Counting each of their calls in Redis would cost
// three commands, and the caller would wait for them. So an instance counts these calls by itself. It does so while a member, or a
// visitor's network, has made at most 1/tallyPart of the calls that the limit allows, in this window and the one before together. With the
// first call above that, it sends Redis the number of all calls of this window, and after that each call. If somebody's calls reach several
// instances, each instance allows at most 1/tallyPart of the limit more.
//
// Redis always counts logging in, signing up and mails, whose limits count networks even if a member calls (Limit.Network). With
// Config.LimitsExact it counts all calls of all limits.
const tallyPart = 8

// tally is what an instance has counted of a member's or network's calls for one limit.
type tally struct {
	window        int64     // of the last call
	count, before int64     // calls of that window, and of the one before
	unsent        int64     // calls of that window that Redis does not know of
	unsentBefore  int64     // calls of the window before that Redis does not know of
	ends          time.Time // from when on no call of it counts any more
}

// exact tells whether Redis counts each call of a limit.
func (s *Server) exact(l Limit) bool { return l.Network || s.LimitsExact }

// farBelow tells whether so few calls come nowhere near a limit, or the tighter one of new members.
func (s *Server) farBelow(l Limit, t tally) bool {
	most := l.Max
	if tight := YoungLimits[l.Name].Max; tight > 0 {
		most = min(most, tight)
	}
	return t.count+t.before <= int64(most*s.LimitFactor/tallyPart)
}

// tallyCall counts a call in this instance; cost is how many calls it counts as. send reports whether the caller has to send the unsent
// calls of the tally to Redis now.
func (s *Server) tallyCall(l Limit, subject string, window, cost int64) (t tally, send bool) {
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
		t = tally{before: t.count, unsentBefore: t.unsent}
	default:
		t = tally{}
	}
	t.window, t.ends = window, time.Unix(0, (window+2)*int64(l.Per))
	t.count += cost
	t.unsent += cost
	kept := t
	if send = s.Redis != nil && (s.exact(l) || !s.farBelow(l, t)); send {
		kept.unsent = 0
	}
	s.tallies[key] = kept
	return t, send
}

// keepUnsent notes that Redis did not get the calls of t that it was to get. The next call sends them.
func (s *Server) keepUnsent(l Limit, subject string, t tally) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if now, ok := s.tallies[l.Name+":"+subject]; ok && now.window == t.window {
		now.unsent += t.unsent
		s.tallies[l.Name+":"+subject] = now
	}
}

// dropTallies makes room. It forgets the tallies that no limit needs any more. If too many are left, it forgets all.
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
