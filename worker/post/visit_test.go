package post_test

import (
	"context"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data/wire/hrana"
	"plaza/test/workertest"
)

func TestNewSinceTheLastVisit(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, bob := s.Member("ann"), s.Member("bob")
	ann.MustPost("/communities", "name", "gophers")
	address := ann.MustPost("/submit", "community", "gophers", "title", "A post", "text", "text")
	post := workertest.Targets(ann.Page(address))[0]
	newOnes := func(page string) int {
		return len(regexp.MustCompile(`<(?:span|a) class="mark new"[^>]*>new</`).FindAllString(page, -1))
	}
	bob.MustPost("/comment", "post", post, "body", "Old")
	s.Now = s.Now.Add(2 * time.Minute)
	require.Zero(t, newOnes(ann.Page(address)), "of a visit that goes on, and of the first, nothing is new")
	s.Now = s.Now.Add(time.Hour)
	first := bob.MustPost("/comment", "post", post, "body", "New one")
	bob.MustPost("/comment", "post", post, "body", "New two")
	ann.MustPost("/comment", "post", post, "body", "My own")
	s.DeliverAll()
	s.Now = s.Now.Add(time.Hour)

	ctx, meter := hrana.WithMeter(context.Background())
	page := ann.Send(ann.Request(address).WithContext(ctx)).Body.String()
	require.LessOrEqual(t, meter.Requests(), s.MaxPageRequests()+2, "after the answer: the visit, and what was read of the inbox")
	require.Equal(t, 2, newOnes(page))
	require.Contains(t, page, `>2 new</a>`)
	id := regexp.MustCompile(`[0-9a-z]{13}$`).FindString(first)
	firstNew := regexp.MustCompile(`class="fresh" href="#c-([0-9a-z]{13})"`).FindStringSubmatch(page)
	next := regexp.MustCompile(`class="mark new" href="#c-([0-9a-z]{13})"`).FindStringSubmatch(page)
	require.ElementsMatch(t, []string{firstNew[1], next[1]}, []string{id, otherThan(id, firstNew[1], next[1])}, "each leads to the next")
	require.Equal(t, 2, newOnes(ann.Page(address)), "also when it is loaded again")
	require.Zero(t, newOnes(s.Visitor().Page(address)))
	s.Now = s.Now.Add(time.Hour)
	require.Zero(t, newOnes(ann.Page(address)))
}

func otherThan(id string, ids ...string) string {
	for _, other := range ids {
		if other != id {
			return other
		}
	}
	return ""
}
