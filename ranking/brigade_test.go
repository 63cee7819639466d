package ranking

import (
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

func TestBrigaded(t *testing.T) {
	const net1, net2 = "192.0.2.0/24", "2001:db8:1::/48"
	calm := VoteSummary{Votes: 100, Young: 10, Span: 10 * time.Hour,
		Networks: map[string]int{net1: 2}, Referrers: map[string]int{"news.example": 5}}
	const minute = time.Minute
	established := History{Votes: 400, Young: 40}
	tests := []struct {
		name            string
		burst, baseline VoteSummary
		want            []Signal
	}{
		{"no votes at all", VoteSummary{}, calm, nil},
		{"an ordinary good hour", VoteSummary{Votes: 40, Young: 6, Span: minute, Networks: map[string]int{net1: 2}}, calm, nil},
		{"young accounts", VoteSummary{Votes: 40, Young: 30, Span: minute}, calm, []Signal{SignalYoung}},
		{"young accounts on a new post", VoteSummary{Votes: 40, Young: 30, Span: minute}, VoteSummary{}, []Signal{SignalYoung}},
		{"too few to say", VoteSummary{Votes: 19, Young: 19, Span: minute}, calm, nil},
		{"not faster than before", VoteSummary{Votes: 40, Young: 30, Span: 2 * time.Hour}, calm, nil},
		{"all in one instant", VoteSummary{Votes: 40, Young: 30}, calm, []Signal{SignalYoung}},
		{"a post that young accounts always liked", VoteSummary{Votes: 40, Young: 30, Span: minute},
			VoteSummary{Votes: 100, Young: 80, Span: 10 * time.Hour}, nil},
		{"one network", VoteSummary{Votes: 20, Span: minute, Networks: map[string]int{net1: 10, net2: 1}}, calm,
			[]Signal{SignalNetwork}},
		{"one large network that was always here", VoteSummary{Votes: 20, Span: minute, Networks: map[string]int{net1: 10}},
			VoteSummary{Votes: 100, Span: 10 * time.Hour, Networks: map[string]int{net1: 60}}, nil},
		{"another network than before", VoteSummary{Votes: 20, Span: minute, Networks: map[string]int{net2: 10}},
			VoteSummary{Votes: 100, Span: 10 * time.Hour, Networks: map[string]int{net1: 60}}, []Signal{SignalNetwork}},
		{"one referrer", VoteSummary{Votes: 50, Span: minute, Referrers: map[string]int{"forum.example": 45}}, calm,
			[]Signal{SignalReferrer}},
		{"a popular link elsewhere", VoteSummary{Votes: 50, Span: minute, Referrers: map[string]int{"news.example": 30}}, calm, nil},
		{"everything at once", VoteSummary{Votes: 50, Young: 50, Span: minute, Networks: map[string]int{net2: 50},
			Referrers: map[string]int{"forum.example": 50}}, calm, []Signal{SignalYoung, SignalNetwork, SignalReferrer}},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			verdict := Brigaded(c.burst, c.baseline, established, DefaultThresholds())
			var got []Signal
			for _, e := range verdict.Evidence {
				if e.Suspicious {
					got = append(got, e.Signal)
				}
			}
			assert.Equal(t, c.want, got)
			assert.Equal(t, len(c.want) > 0, verdict.Suspicious)
		})
	}
}

func TestBrigadedByHistory(t *testing.T) {
	young := VoteSummary{Votes: 27, Young: 24, Span: time.Minute}
	for _, c := range []struct {
		name      string
		community History
		want      bool
		usual     float64
	}{
		{"nothing is known", History{}, false, -1},
		{"too little is known", History{Votes: 99}, false, -1},
		{"where few are young, many are suspicious", History{Votes: 100, Young: 10}, true, 0.1},
		{"where none is, the more so", History{Votes: 5000}, true, 0},
		{"where most are, nobody is", History{Votes: 5000, Young: 4000}, false, 0.8},
		{"where all are, nobody is", History{Votes: 100, Young: 100}, false, 1},
		{"counts that trail stay shares", History{Votes: 100, Young: -3}, true, 0},
		{"and do so above, too", History{Votes: 100, Young: 103}, false, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			verdict := Brigaded(young, VoteSummary{}, c.community, DefaultThresholds())
			assert.Equal(t, c.want, verdict.Suspicious)
			assert.InDelta(t, c.usual, verdict.Evidence[0].Baseline, 1e-12)
		})
	}
	t.Run("youth that is not suspicious excuses no other signal", func(t *testing.T) {
		burst := young
		burst.Networks = map[string]int{"192.0.2.0/24": 24}
		assert.True(t, Brigaded(burst, VoteSummary{}, History{}, DefaultThresholds()).Suspicious)
	})
}

// Expected values computed in Python from the documented formula.
func TestBrigadedEvidence(t *testing.T) {
	burst := VoteSummary{Votes: 40, Young: 30, Span: time.Minute, Referrers: map[string]int{"b.example": 3, "a.example": 3}}
	baseline := VoteSummary{Votes: 100, Young: 10, Span: time.Hour}
	verdict := Brigaded(burst, baseline, History{Votes: 200, Young: 30}, DefaultThresholds())
	young := verdict.Evidence[0]
	assert.Equal(t, 30, young.Votes)
	assert.Equal(t, 40, young.Of)
	assert.Equal(t, 0.75, young.Share)
	assert.InDelta(t, 0.10833333333333334, young.Baseline, 1e-15)
	assert.InDelta(t, 13.057413450223004, young.Deviations, 1e-12)
	assert.Empty(t, verdict.Evidence[1].Value, "no network is known")
	assert.Equal(t, "a.example", verdict.Evidence[2].Value, "of equal referrers the smallest")
}

func TestBrigadedLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		burst := VoteSummary{Votes: rapid.IntRange(0, 200).Draw(t, "votes"), Span: time.Minute}
		burst.Young = rapid.IntRange(0, burst.Votes).Draw(t, "young")
		baseline := VoteSummary{Votes: rapid.IntRange(0, 500).Draw(t, "before"), Span: time.Hour}
		baseline.Young = rapid.IntRange(0, baseline.Votes).Draw(t, "young before")
		limits := DefaultThresholds()
		limits.PriorVotes = rapid.SampledFrom([]float64{0, 20}).Draw(t, "prior votes")
		community := History{Votes: rapid.IntRange(0, 300).Draw(t, "history")}
		community.Young = rapid.IntRange(0, community.Votes).Draw(t, "young in history")
		if !Brigaded(burst, baseline, community, limits).Suspicious {
			return
		}
		assert.GreaterOrEqual(t, burst.Votes, limits.MinVotes)
		assert.GreaterOrEqual(t, community.Votes, limits.MinHistory)
		burst.Young = burst.Votes
		assert.True(t, Brigaded(burst, baseline, community, limits).Suspicious, "more of the same is not less suspicious")
		community.Young = community.Votes
		if limits.PriorVotes > 0 && baseline.Votes == 0 {
			assert.False(t, Brigaded(burst, baseline, community, limits).Suspicious, "the usual voters are not suspicious")
		}
		baseline.Young = baseline.Votes
		if baseline.Votes > 0 && limits.PriorVotes == 0 {
			assert.False(t, Brigaded(burst, baseline, community, limits).Suspicious, "nor are they on this post")
		}
	})
}

func TestSummarizeVotes(t *testing.T) {
	week := 7 * 24 * time.Hour
	got := SummarizeVotes([]VoteOrigin{
		{AccountAge: week, Network: "192.0.2.0/24", Referrer: "news.example"},
		{AccountAge: week - 1, Network: "192.0.2.0/24"},
		{AccountAge: 0},
	}, time.Minute, week)
	assert.Equal(t, VoteSummary{Votes: 3, Young: 2, Span: time.Minute, Networks: map[string]int{"192.0.2.0/24": 2},
		Referrers: map[string]int{"news.example": 1}}, got)
}

func TestNetworkOf(t *testing.T) {
	for addr, want := range map[string]string{
		"192.0.2.77":               "192.0.2.0/24",
		"::ffff:192.0.2.77":        "192.0.2.0/24",
		"2001:db8:1:2:3:4:5:6":     "2001:db8:1::/48",
		"fe80::1%eth0":             "fe80::/48",
		"2001:db8:1:ffff:ffff::99": "2001:db8:1::/48",
	} {
		assert.Equal(t, want, NetworkOf(netip.MustParseAddr(addr)), addr)
	}
	assert.Empty(t, NetworkOf(netip.Addr{}))
}
