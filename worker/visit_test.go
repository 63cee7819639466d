package worker_test

import (
	"context"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data/hrana"
)

func TestNewSinceTheLastVisit(t *testing.T) {
	s := mustOpen(t)
	ann, bob := s.member("ann"), s.member("bob")
	ann.mustPost("/communities", "name", "gophers")
	address := ann.mustPost("/submit", "community", "gophers", "title", "A post", "text", "text")
	post := targets(ann.page(address))[0]
	newOnes := func(page string) int {
		return len(regexp.MustCompile(`<span class="mark new">new</span>`).FindAllString(page, -1))
	}
	bob.mustPost("/comment", "post", post, "body", "Old")
	s.now = s.now.Add(2 * time.Minute)
	require.Zero(t, newOnes(ann.page(address)), "of a visit that goes on, and of the first, nothing is new")
	s.now = s.now.Add(time.Hour)
	first := bob.mustPost("/comment", "post", post, "body", "New one")
	bob.mustPost("/comment", "post", post, "body", "New two")
	ann.mustPost("/comment", "post", post, "body", "My own")
	s.deliverAll()
	s.now = s.now.Add(time.Hour)

	ctx, meter := hrana.WithMeter(context.Background())
	page := ann.send(ann.request(address).WithContext(ctx)).Body.String()
	require.LessOrEqual(t, meter.Requests(), s.oneEach()+2, "after the answer: the visit, and what was read of the inbox")
	require.Equal(t, 2, newOnes(page))
	require.Contains(t, page, "2 new comments here since your last visit")
	id := regexp.MustCompile(`[0-9a-z]{13}$`).FindString(first)
	lead := regexp.MustCompile(`href="#c-([0-9a-z]{13})">Go to the first`).FindStringSubmatch(page)
	next := regexp.MustCompile(`href="#c-([0-9a-z]{13})">next new`).FindStringSubmatch(page)
	require.ElementsMatch(t, []string{lead[1], next[1]}, []string{id, otherThan(id, lead[1], next[1])}, "each leads to the next")
	require.Equal(t, 2, newOnes(ann.page(address)), "also when it is loaded again")
	require.Zero(t, newOnes(s.visitor().page(address)))
	s.now = s.now.Add(time.Hour)
	require.Zero(t, newOnes(ann.page(address)))
}

func otherThan(id string, ids ...string) string {
	for _, other := range ids {
		if other != id {
			return other
		}
	}
	return ""
}
