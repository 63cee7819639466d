package worker

import (
	"context"
	"time"

	"plaza/data/hrana"
)

// How many rows one instance reads from the database for one reader, a member or a visitor's network. Pages from the
// edge cache cost nothing, a long thread 2,500 rows, a listing 50. So a crawler that keeps asking for new addresses
// costs a bounded amount. It is counted in memory, because counting in Redis would cost each page another request.
const (
	budgetRows   = 150_000 // at once
	budgetPerMin = 30_000  // and from then on
	budgetsKept  = 10_000
)

// spending is how many rows were read for a reader until at; budgetPerMin are forgiven for each minute since.
type spending struct {
	rows float64
	at   time.Time
}

func (s spending) by(now time.Time) float64 {
	return max(s.rows-now.Sub(s.at).Minutes()*budgetPerMin, 0)
}

// reader is whose budget a call is charged to: the member, or a visitor's network. It is "" where visitors can't be
// told apart. They have no budget then, because one for all of them would shut everybody out.
func (c *call) reader() string {
	if c.actor != nil {
		return c.actor.UserID.Text()
	}
	near, _ := networksOf(c.r.RemoteAddr)
	return near
}

// mayRead refuses a reader whose budget is used up.
func (a *App) mayRead(c *call) error {
	if c.reader() == "" {
		return nil
	}
	a.mu.Lock()
	spent := a.spent[c.reader()].by(a.Source.Now())
	a.mu.Unlock()
	over := spent/float64(a.LimitFactor) - budgetRows
	if c.actor != nil && (c.byToken || c.format != nil) { // never on an answer that the edge keeps for others
		tellLimit(c.w.Header(), "reading", budgetRows, budgetRows*time.Minute/budgetPerMin, int64(max(-over, 0)),
			time.Duration((over+budgetRows)/budgetPerMin*float64(time.Minute)))
	}
	if over <= 0 {
		return nil
	}
	wait := int(over/budgetPerMin*60) + 1
	return tooFast(c, wait, "That was a lot of reading in a short time. Please wait "+waitText(wait)+" and try again.")
}

// metered returns a context that counts the rows that are read with it, and a function that adds them to the caller's
// spending.
func (a *App) metered(c *call) (context.Context, func()) {
	ctx, meter := hrana.WithMeter(c.r.Context())
	return ctx, func() {
		rows, reader, now := meter.RowsRead(), c.reader(), a.Source.Now()
		if rows > 0 {
			a.spend(reader, float64(rows), now)
		}
	}
}

// spend adds to what was read for a reader.
func (a *App) spend(reader string, rows float64, now time.Time) {
	if reader == "" {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.spent) >= budgetsKept {
		clear(a.spent)
	}
	a.spent[reader] = spending{a.spent[reader].by(now) + rows, now}
}

// spendCall counts a call of a route as rows, so many that the budget of a period lasts for as many calls as the limit allows.
func (a *App) spendCall(c *call, l limit) error {
	if err := a.mayRead(c); err != nil {
		return err
	}
	a.spend(c.reader(), budgetPerMin*l.per.Minutes()/float64(l.max), a.Source.Now())
	return nil
}
