package request

import (
	"time"

	"plaza/locale"
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
func (c *Call) reader() string {
	if c.Actor != nil {
		return c.Actor.UserID.Text()
	}
	near, _ := networksOf(c.R.RemoteAddr)
	return near
}

// MayRead refuses a reader whose budget is used up.
func (s *Server) MayRead(c *Call) error {
	if c.reader() == "" {
		return nil
	}
	s.mu.Lock()
	spent := s.spent[c.reader()].by(s.Source.Now())
	s.mu.Unlock()
	over := spent/float64(s.LimitFactor) - budgetRows
	if c.Actor != nil && (c.ByToken || c.Format != nil) { // never on an answer that the edge keeps for others
		setLimitHeaders(c.W.Header(), "reading", budgetRows, budgetRows*time.Minute/budgetPerMin, int64(max(-over, 0)),
			time.Duration((over+budgetRows)/budgetPerMin*float64(time.Minute)))
	}
	if over <= 0 {
		return nil
	}
	wait := int(over/budgetPerMin*60) + 1
	return TooFast(c, wait, locale.With("That was a lot of reading in a short time. Please wait {} and try again.", WaitText(wait)))
}

// spendRead adds the rows that were read for a call to its reader's spending, without those of before.
func (s *Server) spendRead(c *Call, before int64) {
	if rows := c.rows.RowsRead() - before; rows > 0 {
		s.spend(c.reader(), float64(rows), s.Source.Now())
	}
}

// spend adds to what was read for a reader.
func (s *Server) spend(reader string, rows float64, now time.Time) {
	if reader == "" {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.spent) >= budgetsKept {
		clear(s.spent)
	}
	s.spent[reader] = spending{s.spent[reader].by(now) + rows, now}
}

// spendCall counts a call of a route as rows, so many that the budget of a period lasts for as many calls as the limit allows.
func (s *Server) spendCall(c *Call, l Limit) error {
	if err := s.MayRead(c); err != nil {
		return err
	}
	s.spend(c.reader(), budgetPerMin*l.Per.Minutes()/float64(l.Max), s.Source.Now())
	return nil
}
