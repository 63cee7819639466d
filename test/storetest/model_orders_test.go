package storetest_test

import (
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/ranking"
	"plaza/test/storetest"
)

// checkOrders compares what threads are sorted by with the account: the formulas of
// package ranking over the votes that it knows, and the texts and statuses there are.
func (o *modelOracle) checkOrders(s *storetest.Stores) {
	s.Helper()
	type said struct {
		status      string
		length      int
		controversy float64
		qa          float64
		op          bool
	}
	comments := map[data.ID]said{}
	for _, row := range o.rows(s, "SELECT id, status, body, controversy, qa, op FROM comments") {
		comments[data.ID(row[0].(int64))] = said{row[1].(string), utf8.RuneCountInString(row[2].(string)), row[3].(float64), row[4].(float64),
			row[5].(int64) == 1}
	}
	sums := func(id data.ID) (ups, downs int64) {
		for _, value := range o.targets[id].votes {
			switch value {
			case 1:
				ups++
			case -1:
				downs++
			}
		}
		return ups, downs
	}
	answers := map[data.ID][]ranking.Answer{}
	for id, c := range comments {
		t := o.targets[id]
		require.Equal(s, t.author == o.targets[t.post].author, c.op, "op of %d", id)
		if c.op && c.status == "published" {
			ups, downs := sums(id)
			answers[t.parent] = append(answers[t.parent], ranking.Answer{Ups: ups, Downs: downs, Length: c.length})
		}
	}
	for id, c := range comments {
		ups, downs := sums(id)
		require.InDelta(s, ranking.Controversy(ups, downs), c.controversy, 1e-9, "controversy of %d: %d up, %d down", id, ups, downs)
		require.Equal(s, ranking.QARank(ups, downs, c.length, answers[id]...), c.qa, "Q&A rank of %d: %d up, %d down, answers %v", id, ups, downs,
			answers[id])
	}
}
