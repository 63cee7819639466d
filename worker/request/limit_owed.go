package request

import "time"

// A search counts as one call before the site knows how long it keeps the database busy. Each further owedUnit of that time counts as one
// call more. The next call of the same member or network counts these, so that they cost no request of their own. An instance knows only
// the searches that it sent itself.
const (
	owedUnit = 25 * time.Millisecond // of the database's time count as one call more
	owedMost = 20                    // calls that one search counts as
)

// Owe notes how long the database was busy for a call.
func (s *Server) Owe(c *Call, l Limit, took time.Duration) {
	units := min(int(took/owedUnit), owedMost)
	if units == 0 {
		return
	}
	var subjects []string
	if c.Actor != nil && !l.Network {
		subjects = []string{c.Actor.UserID.Text()}
	} else if near, far := networksOf(c.R.RemoteAddr); near != "" {
		subjects = []string{near}
		if far != "" {
			subjects = append(subjects, far)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.owed) >= budgetsKept {
		clear(s.owed)
	}
	for _, subject := range subjects {
		s.owed[l.Name+":"+subject] += units
	}
}

// takeOwed returns how many calls are owed, which the caller counts now.
func (s *Server) takeOwed(l Limit, subject string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.owed[l.Name+":"+subject]
	delete(s.owed, l.Name+":"+subject)
	return n
}
