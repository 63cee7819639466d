package worker

import (
	"net/http"
	"time"
)

// healthLife is how long the result of a try to write is used again, because monitors may
// ask often.
const healthLife = 5 * time.Second

// health answers when the site can read its directory and, as far as it has tried of
// late, write into all of its databases.
func (a *App) health(c *call) error {
	now := a.Source.Now()
	a.mu.Lock()
	try, err := now.Sub(a.wrote) >= healthLife, a.writeErr
	if try {
		a.wrote = now // meanwhile, others are told what came of the last one
	}
	a.mu.Unlock()
	switch {
	case try:
		err = a.DB.TryToWrite(c.r.Context(), now)
		a.mu.Lock()
		a.wrote, a.writeErr = a.Source.Now(), err
		a.mu.Unlock()
	case err == nil:
		r := a.DB.Read()
		a.communities.FindLargest(r, 0, 1)
		err = r.Run(c.r.Context())
	}
	if err != nil {
		return err
	}
	return c.send(http.StatusOK, "text/plain; charset=utf-8", []byte("ok\n"))
}
