package worker

import "time"

// A search counts as one call before the site knows how long it keeps the database busy. Each further owedUnit of that time counts as one
// call more. The next call of the same member or network counts these, so that they cost no request of their own. An instance knows only
// the searches that it sent itself.
const (
	owedUnit = 25 * time.Millisecond // of the database's time count as one call more
	owedMost = 20                    // calls that one search counts as
)

// owe notes how long the database was busy for a call.
func (a *App) owe(c *call, l limit, took time.Duration) {
	units := min(int(took/owedUnit), owedMost)
	if units == 0 {
		return
	}
	var subjects []string
	if c.actor != nil && !l.network {
		subjects = []string{c.actor.UserID.Text()}
	} else if near, far := networksOf(c.r.RemoteAddr); near != "" {
		subjects = []string{near}
		if far != "" {
			subjects = append(subjects, far)
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.owed) >= budgetsKept {
		clear(a.owed)
	}
	for _, s := range subjects {
		a.owed[l.name+":"+s] += units
	}
}

// takeOwed returns how many calls are owed, which the caller counts now.
func (a *App) takeOwed(l limit, subject string) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	n := a.owed[l.name+":"+subject]
	delete(a.owed, l.name+":"+subject)
	return n
}
