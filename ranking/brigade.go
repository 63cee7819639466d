package ranking

import (
	"math"
	"net/netip"
	"time"
)

// VoteOrigin is a vote with its origin, for the check for brigades.
type VoteOrigin struct {
	AccountAge time.Duration // when the vote was cast
	Network    string        // of the voter ([NetworkOf]); empty when unknown
	Referrer   string        // another host that linked to the target; empty if none
}

// A VoteSummary sums up votes in one direction on one target. Up and down are separate, because otherwise the defenders of a post would
// hide its attackers.
type VoteSummary struct {
	Votes     int
	Young     int            // by accounts younger than Thresholds.YoungAge
	Networks  map[string]int // votes by network
	Referrers map[string]int // votes by outside referrer
	Span      time.Duration  // from the first to the last vote, or the length of the batch
}

// SummarizeVotes sums up votes that were cast within span.
func SummarizeVotes(origins []VoteOrigin, span, youngAge time.Duration) VoteSummary {
	t := VoteSummary{Votes: len(origins), Networks: map[string]int{}, Referrers: map[string]int{}, Span: span}
	for _, b := range origins {
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

// NetworkOf returns the network of an address: the /24 of an IPv4 address (also one mapped into IPv6), the /48 of an IPv6 address, the
// usual size of one site (RFC 6177). It is empty for an invalid address.
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

// A Signal is a way in which votes can be too similar.
type Signal string

// The signals.
const (
	SignalYoung    Signal = "young_accounts"
	SignalNetwork  Signal = "one_network"
	SignalReferrer Signal = "one_referrer"
)

// A SignalThreshold is the threshold of one signal.
type SignalThreshold struct {
	Share float64 // of the votes of the burst, at least
	Prior float64 // the usual share on any site, for targets with few earlier votes
}

// A History counts the earlier votes in a community, and those by young accounts among them.
type History struct {
	Votes int
	Young int // by accounts younger than Thresholds.YoungAge
}

// Thresholds decide what is suspicious. Start from [DefaultThresholds].
type Thresholds struct {
	YoungAge   time.Duration // younger accounts are young
	MinVotes   int           // a smaller burst is never suspicious
	RateFactor float64       // minimum rate of votes relative to the baseline, for a burst
	PriorVotes float64       // weight of the usual shares, in votes
	Deviations float64       // minimum distance above the baseline, in standard deviations
	MinHistory int           // a community with fewer votes has no usual share of young accounts
	YoungShare float64       // minimum share of votes by young accounts in the burst
	Network    SignalThreshold
	Referrer   SignalThreshold
}

// DefaultThresholds suit a site of some thousand members: a burst of at least 20 votes at three times the rate before, of which 60% are
// by accounts under a week, 40% from one network or 80% from one referrer (people do follow a link from another site and vote honestly),
// four standard deviations above the usual share. The usual share of young voters is the community's, from its last 100 votes or more. On
// a site whose accounts are all young it is never exceeded.
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

// Evidence is one signal with its numbers, as moderators see it.
type Evidence struct {
	Signal     Signal  `json:"signal"`
	Value      string  `json:"value,omitempty"` // the network or the referrer
	Votes      int     `json:"votes"`           // of the burst that have the signal
	Of         int     `json:"of"`              // votes of the burst
	Share      float64 `json:"share"`           // Votes / Of
	Baseline   float64 `json:"baseline"`        // expected share; -1 if not known
	Deviations float64 `json:"deviations"`      // standard deviations above it
	Suspicious bool    `json:"suspicious"`
}

// A Verdict is the result of [Brigaded]. Evidence has every signal that was checked, in a fixed order; it is empty if there was no burst.
type Verdict struct {
	Suspicious bool       `json:"suspicious"`
	Evidence   []Evidence `json:"evidence"`
}

// Brigaded judges a burst of votes on one target against the votes the same target had before. One signal is enough. A signal is
// suspicious when its share of the burst reaches its threshold and exceeds the expected share p by
//
//	(x - n*p) / sqrt(n*p*(1-p)) >= Deviations
//
// where x of n votes have it: the normal approximation of the one-sided binomial test (NIST/SEMATECH e-Handbook of Statistical Methods,
// 7.2.4). The expected share is that of the baseline, with PriorVotes votes at the usual share added, so a post whose voters always came
// from one network or link is not suspicious. For young accounts the usual share is the community's own; without enough history it is not
// known, and youth alone is never suspicious.
func Brigaded(burst, baseline VoteSummary, community History, limits Thresholds) Verdict {
	if burst.Votes < max(limits.MinVotes, 1) || !faster(burst, baseline, limits.RateFactor) {
		return Verdict{}
	}
	network, networkVotes := mostCommon(burst.Networks)
	referrer, referrerVotes := mostCommon(burst.Referrers)
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

func (h History) youngShare(minVotes int) (share float64, known bool) {
	if h.Votes < max(minVotes, 1) {
		return 0, false
	}
	return float64(min(max(h.Young, 0), h.Votes)) / float64(h.Votes), true
}

// faster reports whether the burst is factor times as fast as the baseline. Without a baseline it is true. It multiplies crosswise,
// because a span may be 0.
func faster(burst, baseline VoteSummary, factor float64) bool {
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

// deviations never divides by zero: a share is at least one in a million away from 0 and 1.
func deviations(x, n, p float64) float64 {
	const edge = 1e-6
	p = min(max(p, edge), 1-edge)
	return (x - float64(n*p)) / math.Sqrt(float64(n*p)*(1-p))
}

// mostCommon returns the key with the largest count, and the smallest of equal ones.
func mostCommon(counts map[string]int) (string, int) {
	key, count := "", 0
	for k, c := range counts {
		if c > count || c == count && c > 0 && k < key {
			key, count = k, c
		}
	}
	return key, count
}
