package verify_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/accounts"
	"plaza/data/content/comments"
	"plaza/data/content/posts"
	"plaza/data/content/votes"
	"plaza/ops/verify"
	"plaza/test/sitetest"
)

// TestLive verifies, and repairs, a site on which members vote, post, comment and delete and where votes are applied all the time.
func TestLive(t *testing.T) {
	for _, shards := range []int{1, 3} {
		t.Run(fmt.Sprintf("what is written meanwhile to %d databases is no difference", shards), func(t *testing.T) {
			s := sitetest.OpenFilled(t, shards)
			work, stop := context.WithCancel(ctx)
			var applied, written, deleting atomic.Int64
			var all sync.WaitGroup
			defer all.Wait()
			defer stop()
			deleted := make(chan data.ID, 1000) // the message of the worker that updates the sets
			for n := range 3 {
				all.Go(func() { live(work, t, s, uint64(n), &written, &deleting, deleted) })
			}
			all.Go(func() {
				for work.Err() == nil {
					p, err := s.Votes.FindPending(ctx, 0)
					for len(deleted) > 0 {
						p.Targets = append(p.Targets, <-deleted)
					}
					if err == nil {
						_, err = s.Votes.ApplyDeltas(ctx, p)
					}
					if err != nil {
						t.Errorf("apply: %v", err)
						return
					}
					applied.Add(1)
				}
			})
			all.Go(func() { renamed(work, t, s) })
			for n := 0; n < 6; { // number of concurrent writes
				var found []verify.Difference
				o := options(s, &found)
				o.Repair = n%2 == 1
				// Every deletion so far has sent its message, and then two delta runs more: the sets have what was applied before.
				o.Wait = func(context.Context) error {
					for deleting.Load() > 0 && !t.Failed() {
						time.Sleep(time.Millisecond)
					}
					for until := applied.Load() + 2; applied.Load() < until && !t.Failed(); {
						time.Sleep(time.Millisecond)
					}
					return nil
				}
				before := written.Load()
				_, err := verify.Run(ctx, o)
				require.NoError(t, err)
				require.Empty(t, found)
				if written.Load() > before {
					n++
				}
			}
			stop()
			all.Wait()
			var rest votes.Pending // messages that were sent after the last delta run
			for len(deleted) > 0 {
				rest.Targets = append(rest.Targets, <-deleted)
			}
			_, err := s.Votes.ApplyDeltas(ctx, rest)
			require.NoError(t, err)
			s.ApplyDeltas()
			require.Empty(t, find(t, s))
			t.Logf("%d writes, %d delta runs", written.Load(), applied.Load())
		})
	}
}

// renamed gives a member one name and avatar after the other.
func renamed(work context.Context, t *testing.T, s *sitetest.Site) {
	a := s.Members[2]
	for n := 0; work.Err() == nil; n++ {
		// Before the first new name there is no old one: renamed_at replaces a row of names.
		_, err := s.Directory.Exec("UPDATE users SET renamed_at = 0 WHERE id = ? AND renamed_at IS NOT NULL", int64(a.UserID))
		if err == nil {
			err = s.Accounts.Rename(ctx, a, fmt.Sprintf("Name%d", n))
		}
		if err == nil {
			_, err = s.Accounts.Update(ctx, a, accounts.Update{Settings: accounts.Settings{Avatar: accounts.Avatar{Letter: fmt.Sprint(n % 10)}}, Force: true})
		}
		for rest := []data.ID{a.UserID}; err == nil && len(rest) > 0; {
			rest, err = s.Accounts.CopyNames(ctx, rest)
		}
		if err != nil && data.ErrorCode(err) != data.Unavailable && data.ErrorCode(err) != data.Forbidden {
			t.Errorf("name %d: %v", n, err)
			return
		}
	}
}

// live makes members write until it is stopped.
func live(work context.Context, t *testing.T, s *sitetest.Site, seed uint64, written, deleting *atomic.Int64, deleted chan<- data.ID) {
	rng := rand.New(rand.NewPCG(seed, 9))
	var posted, replies []data.ID
	names := []string{"Alpha", "Beta", "Gamma"}
	for n := 0; work.Err() == nil; n++ {
		a := s.Members[1+rng.IntN(9)]
		var err error
		switch {
		case n%10 == 0 || len(posted) == 0: // a database may have been busy at the first one
			var p *posts.Post
			if p, err = s.Posts.Create(ctx, a, posts.Create{Community: names[rng.IntN(3)], Title: fmt.Sprintf("Live %d %d", seed, n), Text: "x",
				TextHTML: "x"}); err == nil {
				posted = append(posted, p.ID)
			}
		case n%10 < 4:
			c := comments.Create{Post: posted[rng.IntN(len(posted))], Body: "said", BodyHTML: "said"}
			if len(replies) > 0 && n%2 == 0 {
				c.Post, c.Parent = 0, replies[rng.IntN(len(replies))]
			}
			var said *comments.Comment
			if said, _, err = s.Comments.Create(ctx, a, c); err == nil {
				replies = append(replies, said.ID)
			}
		case n%10 == 9:
			deleting.Add(1) // until its message is sent
			id := posted[len(posted)-1]
			_, err = s.Posts.Delete(ctx, a, id)
			for data.ErrorCode(err) == data.Unavailable && !t.Failed() { // a member without a response retries, until the message is sent
				_, err = s.Posts.Delete(ctx, a, id)
			}
			if err == nil {
				deleted <- id
			}
			deleting.Add(-1)
		case n%10 == 8:
			err = s.Communities.Subscribe(ctx, a, names[rng.IntN(3)], n%3 == 0)
		default:
			target := posted[rng.IntN(len(posted))]
			if n%2 == 0 && len(replies) > 0 {
				target = replies[rng.IntN(len(replies))]
			}
			_, err = s.Votes.Cast(ctx, a, target, rng.IntN(3)-1)
		}
		if code := data.ErrorCode(err); err != nil && code != data.Forbidden && code != data.Unavailable {
			t.Errorf("write %d: %v", n, err)
			return
		}
		written.Add(1)
	}
}
