package ranking

import (
	"math"
	"net/netip"
	"time"
)

// A Ballot is what is known about one vote when it is checked for brigading.
type Ballot struct {
	AccountAge time.Duration // when the vote was cast
	Network    string        // of the voter ([NetworkOf]); empty when unknown
	Referrer   string        // host outside the site the voter came from; empty when none
}

// A Tally sums up votes in one direction on one target. Up and down are tallied apart, or the defenders of a post
// would hide its attackers.
type Tally struct {
	Votes     int
	Young     int            // by accounts younger than Thresholds.YoungAge
	Networks  map[string]int // votes by network
	Referrers map[string]int // votes by outside referrer
	Span      time.Duration  // from the first to the last vote, or the length of the batch
}

// TallyBallots sums up votes that were cast within span.
func TallyBallots(ballots []Ballot, span, youngAge time.Duration) Tally {
	t := Tally{Votes: len(ballots), Networks: map[string]int{}, Referrers: map[string]int{}, Span: span}
	for _, b := range ballots {
		if b.AccountAge < youngAge {
			t.Young++
		}
		if b.Network != "" {
			t.Networks[b.Network]++
		}
		if b.Referrer != "" {
			t.Referrers[b.Referrer]++
		}
	}
	return t
}

// NetworkOf is the network that counts as one place: the /24 of an IPv4 address (also one mapped into IPv6), the /48
// of an IPv6 address, the usual size of one site (RFC 6177). It is empty for an invalid address.
func NetworkOf(addr netip.Addr) string {
	addr = addr.Unmap().WithZone("")
	size := 48
	if addr.Is4() {
		size = 24
	}
	prefix, err := addr.Prefix(size)
	if err != nil || !prefix.IsValid() {
		return ""
	}
	return prefix.String()
}

// A Signal is a way in which votes can be too much alike.
type Signal string

// The signals.
const (
	SignalYoung    Signal = "young_accounts"
	SignalNetwork  Signal = "one_network"
	SignalReferrer Signal = "one_referrer"
)

// A SignalThreshold says when one signal is suspicious.
type SignalThreshold struct {
	Share float64 // of the votes of the burst, at least
	Prior float64 // share that is usual anywhere, for targets with few votes before
}

// A History is how many votes a community had in the time before, and how many of them were young.
type History struct {
	Votes int
	Young int // by accounts younger than Thresholds.YoungAge
}

// Thresholds decide what is suspicious. Start from [DefaultThresholds].
type Thresholds struct {
	YoungAge   time.Duration // younger accounts are young
	MinVotes   int           // a smaller burst is never suspicious
	RateFactor float64       // votes per time against the baseline, at least, to be a burst
	PriorVotes float64       // weight of the usual shares, in votes
	Deviations float64       // standard deviations above the baseline, at least
	MinHistory int           // a community with fewer votes has no usual share of young accounts
	YoungShare float64       // of the votes of the burst by young accounts, at least
	Network    SignalThreshold
	Referrer   SignalThreshold
}

// DefaultThresholds suit a site of some thousand members: a burst of at least 20 votes at three times the pace
// before, of which 60% by accounts under a week, 40% from one network or 80% from one referrer (people do follow a
// link from elsewhere and vote honestly), four standard deviations above what is usual. How many voters are young is
// usual in a community; it is told from its last 100 votes or more. A site whose accounts are all young has none that
// would stand out.
func DefaultThresholds() Thresholds {
	return Thresholds{
		YoungAge:   7 * 24 * time.Hour,
		MinVotes:   20,
		RateFactor: 3,
		PriorVotes: 20,
		Deviations: 4,
		MinHistory: 100,
		YoungShare: 0.6,
		Network:    SignalThreshold{Share: 0.4, Prior: 0.05},
		Referrer:   SignalThreshold{Share: 0.8, Prior: 0.1},
	}
}

// Evidence is one signal with its figures, as a moderator is shown it.
type Evidence struct {
	Signal     Signal  `json:"signal"`
	Value      string  `json:"value,omitempty"` // the network or the referrer
	Votes      int     `json:"votes"`           // of the burst that show the signal
	Of         int     `json:"of"`              // votes of the burst
	Share      float64 `json:"share"`           // Votes / Of
	Baseline   float64 `json:"baseline"`        // expected share; -1 where nothing tells
	Deviations float64 `json:"deviations"`      // standard deviations above it
	Suspicious bool    `json:"suspicious"`
}

// A Verdict is the result of [Brigaded]. Evidence holds every signal that was looked at, in a fixed order; it is
// empty when there was no burst.
type Verdict struct {
	Suspicious bool       `json:"suspicious"`
	Evidence   []Evidence `json:"evidence"`
}

// Brigaded judges a burst of votes on one target against the votes the same target had before. One signal is enough.
// A signal is suspicious when its share of the burst reaches its threshold and exceeds the expected share p by
//
//	(x - n*p) / sqrt(n*p*(1-p)) >= Deviations
//
// where x of n votes show it: the normal approximation of the one-sided binomial test (NIST/SEMATECH e-Handbook of
// Statistical Methods, 7.2.4). The expected share is that of the baseline, with PriorVotes votes at the usual share
// added, so a post that always lived from one network or link is not held against its readers. For young accounts the
// usual share is the community's own; without enough history nobody can say what is usual, and youth alone is never
// suspicious.
func Brigaded(burst, baseline Tally, community History, limits Thresholds) Verdict {
	if burst.Votes < max(limits.MinVotes, 1) || !faster(burst, baseline, limits.RateFactor) {
		return Verdict{}
	}
	network, networkVotes := most(burst.Networks)
	referrer, referrerVotes := most(burst.Referrers)
	judge := func(signal Signal, value string, votes, before int, limit SignalThreshold) Evidence {
		e := Evidence{Signal: signal, Value: value, Votes: votes, Of: burst.Votes}
		n := float64(burst.Votes)
		e.Share = float64(votes) / n
		e.Baseline = expected(before, baseline.Votes, limit.Prior, limits.PriorVotes)
		e.Deviations = deviations(float64(votes), n, e.Baseline)
		e.Suspicious = votes > 0 && e.Share >= limit.Share && e.Deviations >= limits.Deviations
		return e
	}
	usual, known := community.youngShare(limits.MinHistory)
	young := judge(SignalYoung, "", burst.Young, baseline.Young, SignalThreshold{limits.YoungShare, usual})
	if !known {
		young.Baseline, young.Deviations, young.Suspicious = -1, 0, false
	}
	verdict := Verdict{Evidence: []Evidence{
		young,
		judge(SignalNetwork, network, networkVotes, baseline.Networks[network], limits.Network),
		judge(SignalReferrer, referrer, referrerVotes, baseline.Referrers[referrer], limits.Referrer),
	}}
	for _, e := range verdict.Evidence {
		verdict.Suspicious = verdict.Suspicious || e.Suspicious
	}
	return verdict
}

func (h History) youngShare(least int) (share float64, known bool) {
	if h.Votes < max(least, 1) {
		return 0, false
	}
	return float64(min(max(h.Young, 0), h.Votes)) / float64(h.Votes), true
}

// faster says whether the burst is factor times as fast as the baseline; so is any burst when there was nothing to
// compare with. It multiplies crosswise: a span may be 0.
func faster(burst, baseline Tally, factor float64) bool {
	if baseline.Votes == 0 || baseline.Span <= 0 {
		return true
	}
	return float64(burst.Votes)*baseline.Span.Seconds() >=
		factor*float64(baseline.Votes)*max(burst.Span.Seconds(), 0)
}

func expected(before, votes int, prior, priorVotes float64) float64 {
	all := float64(votes) + priorVotes
	if all <= 0 {
		return prior
	}
	return (float64(before) + float64(prior*priorVotes)) / all
}

// deviations never divides by zero: a share is taken as at least one in a million away from 0 and 1.
func deviations(x, n, p float64) float64 {
	const edge = 1e-6
	p = min(max(p, edge), 1-edge)
	return (x - float64(n*p)) / math.Sqrt(float64(n*p)*(1-p))
}

// most is the key with the largest count, of equals the smallest.
func most(counts map[string]int) (string, int) {
	key, count := "", 0
	for k, c := range counts {
		if c > count || c == count && c > 0 && k < key {
			key, count = k, c
		}
	}
	return key, count
}
