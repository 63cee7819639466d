package ranking

import "time"

const (
	// One comment counts as this many votes, times the approval.
	risingCommentWeight = 0.5

	// The prior of the rate: risingPriorEvents in risingPriorHours. It damps a post whose first vote came in its first second.
	risingPriorEvents = 1.0
	risingPriorHours  = 1.0

	// At this age a rate counts half; at four times this age a seventeenth.
	risingHalfHours = 6.0
)

// Rising is the rate at which a new post gains attention, in events per hour, damped: higher first, 0 for a post that is not rising. age
// is time since publication; a negative one counts as 0.
//
//	events    = (ups - downs) + 0.5 * comments * approval
//	approval  = (ups + 1) / (ups + downs + 2)
//	rate      = (1 + events) / (1 h + age)
//	freshness = 1 / (1 + (age / 6 h)²)
//	rising    = max(rate, 0) * freshness
//
// rate is the posterior mean of a Poisson rate with the prior Gamma(1 event, 1 hour) (Gelman et al., Bayesian Data Analysis, 2.6): with
// little evidence it stays near one event an hour, with much it is events over time. approval is Laplace's rule of succession; with it an
// argument below a disliked post raises it little. freshness distinguishes rising from top: the result falls with the third power of age,
// where Hacker News divides by (age + 2 h)^1.8. Reddit divided ups by views (r2/r2/lib/rising.py); Plaza's views are approximate and
// late, so time replaces them.
//
// It changes with the clock: compute it when a list is read, over the newest posts.
func Rising(ups, downs, comments int64, age time.Duration) float64 {
	u, d := float64(ups), float64(downs)
	hours := max(age.Hours(), 0)
	approval := (u + 1) / (u + d + 2)
	events := u - d + float64(risingCommentWeight*float64(comments)*approval)
	rate := (risingPriorEvents + events) / (risingPriorHours + hours)
	if rate <= 0 {
		return 0
	}
	old := hours / risingHalfHours
	return rate / (1 + float64(old*old))
}
