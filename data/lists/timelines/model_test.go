package timelines_test

import (
	"flag"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"plaza/data"
	"plaza/data/events/outbox"
	"plaza/test/storetest"
)

// oracle computes timelines after all work is done: the posts of a member's followees and the member's own, the last published first.
type oracle struct {
	follows map[[2]int]bool
	posts   []said
}

type said struct {
	author int
	id     data.ID
	title  string
}

func (o *oracle) home(who int) (titles []string) {
	for _, p := range slices.Backward(o.posts) {
		if p.author == who || o.follows[[2]int{who, p.author}] {
			titles = append(titles, p.title)
		}
	}
	return titles
}

// TestTimelinesOfAnyHistory has members follow, unfollow, post, delete, go away and come back in any order, while messages are lost,
// doubled and reordered. There are fewer posts than a fill writes for a new followee.
func TestTimelinesOfAnyHistory(t *testing.T) {
	if checks := flag.Lookup("rapid.checks"); checks.Value.String() == checks.DefValue {
		require.NoError(t, checks.Value.Set("10")) // each makes some hundred requests; -rapid.checks=1000 on demand
	}
	const members = 4
	run := 0
	k := open(t)
	k.Timelines.Threshold = 2
	founder := k.Member("founder")
	k.Community(founder, "gophers")
	rapid.Check(t, func(rt *rapid.T) {
		run++
		k.Exec("DELETE FROM follows")
		k.Exec("DELETE FROM timeline")
		k.Exec("DELETE FROM outbox")
		o := &oracle{follows: map[[2]int]bool{}}
		var who []data.Actor
		for i := range members {
			who = append(who, k.present(fmt.Sprintf("m%d_%d", run, i)))
		}
		inactive := map[int]bool{}
		member := rapid.IntRange(0, members-1)
		var messages []outbox.Due
		rt.Repeat(map[string]func(*rapid.T){
			"follow": func(rt *rapid.T) {
				a, b := member.Draw(rt, "who"), member.Draw(rt, "whom")
				if a != b && !inactive[a] {
					k.follow(who[a], who[b].Name, true)
					o.follows[[2]int{a, b}] = true
				}
			},
			"unfollow": func(rt *rapid.T) {
				a, b := member.Draw(rt, "who"), member.Draw(rt, "whom")
				if a != b && !inactive[a] {
					k.follow(who[a], who[b].Name, false)
					delete(o.follows, [2]int{a, b})
				}
			},
			"post": func(rt *rapid.T) {
				if a := member.Draw(rt, "who"); len(o.posts) < 18 {
					title := fmt.Sprintf("Post %d of %d", len(o.posts), a)
					o.posts = append(o.posts, said{a, k.Post(who[a], "gophers", title).ID, title})
				}
			},
			"delete": func(rt *rapid.T) {
				if len(o.posts) > 0 {
					i := rapid.IntRange(0, len(o.posts)-1).Draw(rt, "post")
					_, err := k.Posts.Delete(storetest.Ctx, who[o.posts[i].author], o.posts[i].id)
					require.NoError(rt, err)
					o.posts = slices.Delete(o.posts, i, i+1)
				}
			},
			"go away": func(rt *rapid.T) {
				a := member.Draw(rt, "who")
				k.Exec("UPDATE users SET seen_at = ?2 WHERE id = ?1", int64(who[a].UserID), k.Clock.Add(-40*24*time.Hour).UnixMilli())
				inactive[a] = true
			},
			"come back": func(rt *rapid.T) {
				a := member.Draw(rt, "who")
				k.here(who[a])
				delete(inactive, a)
			},
			"get messages": func(rt *rapid.T) { messages = append(messages, k.due()...) },
			"handle one": func(rt *rapid.T) { // the message stays, and may be handled again
				if len(messages) > 0 {
					k.do(rapid.SampledFrom(messages).Draw(rt, "message"))
				}
			},
			"settle": func(rt *rapid.T) {
				k.drain()
				for i := range who {
					if !inactive[i] {
						got, _ := k.home(who[i], 5)
						require.Equal(rt, o.home(i), got, "timeline of %d", i)
					}
				}
			},
		})
		for i := range who {
			k.here(who[i])
		}
		k.drain()
		for i := range who {
			got, _ := k.home(who[i], 3)
			require.Equal(rt, o.home(i), got, "timeline of %d", i)
		}
	})
}
