package deadline_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"plaza/data/pace/deadline"
)

func TestDeadline(t *testing.T) {
	t.Run("a call has its own limit or what the request has left, whichever is less", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ctx := deadline.ForRequest(t.Context())
			assert.True(t, deadline.InRequest(ctx))
			assert.Equal(t, time.Second, deadline.Remaining(ctx, time.Second))
			time.Sleep(deadline.Request - 300*time.Millisecond)
			assert.Equal(t, 300*time.Millisecond, deadline.Remaining(ctx, time.Second))
			assert.Equal(t, 100*time.Millisecond, deadline.Remaining(ctx, 100*time.Millisecond))
			time.Sleep(time.Second)
			assert.Negative(t, deadline.Remaining(ctx, time.Second))
		})
	})
	t.Run("what writes leaves time to answer", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ctx := deadline.ForRequest(t.Context())
			assert.Equal(t, time.Second, deadline.RemainingToWrite(ctx, time.Second))
			remaining := deadline.RemainingToWrite(ctx, time.Hour)
			assert.Positive(t, remaining)
			assert.Less(t, remaining, deadline.Remaining(ctx, time.Hour))
			ctx = deadline.ForWork(ctx, deadline.Task)
			assert.Equal(t, deadline.Task, deadline.RemainingToWrite(ctx, time.Hour))
		})
	})
	t.Run("a request is not begun twice", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ctx := deadline.ForRequest(t.Context())
			time.Sleep(time.Second)
			assert.Equal(t, deadline.Request-time.Second, deadline.Remaining(deadline.ForRequest(ctx), time.Hour))
		})
	})
	t.Run("what an answer may lack is waited for from the beginning of the request, and a moment if it is asked for late", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ctx := deadline.ForRequest(t.Context())
			remaining := func() time.Duration { return deadline.Remaining(deadline.ForOptional(ctx), time.Hour) }
			assert.Equal(t, deadline.Optional, remaining())
			assert.True(t, deadline.InRequest(deadline.ForOptional(ctx)))
			time.Sleep(300 * time.Millisecond)
			assert.Equal(t, deadline.Optional-300*time.Millisecond, remaining())
			time.Sleep(700 * time.Millisecond)
			assert.Equal(t, time.Second, remaining())
			time.Sleep(deadline.Request - time.Second - time.Millisecond)
			assert.Equal(t, time.Millisecond, remaining())
			assert.Equal(t, time.Hour, deadline.Remaining(deadline.ForOptional(t.Context()), time.Hour))
		})
	})
	t.Run("work that nobody waits for has its own time", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ctx := deadline.ForRequest(t.Context())
			time.Sleep(deadline.Request)
			ctx = deadline.ForWork(ctx, deadline.Task)
			assert.False(t, deadline.InRequest(ctx))
			assert.Equal(t, deadline.Task, deadline.Remaining(ctx, time.Hour))
		})
	})
	t.Run("without a deadline there is the call's own limit", func(t *testing.T) {
		assert.Equal(t, time.Hour, deadline.Remaining(t.Context(), time.Hour))
		assert.False(t, deadline.InRequest(t.Context()))
	})
	t.Run("a part of a request ends early, so that time is left for the answer", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ctx := deadline.ForRequest(t.Context())
			assert.Equal(t, time.Second, deadline.Remaining(deadline.ForPart(ctx, time.Second), time.Hour))
			assert.Less(t, deadline.Remaining(deadline.ForPart(ctx, time.Hour), time.Hour), deadline.Request)
			assert.Equal(t, time.Hour, deadline.Remaining(deadline.ForPart(t.Context(), time.Second), time.Hour), "nobody waits")
		})
	})
	t.Run("a call natively ends with its limit", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := deadline.Within(t.Context(), time.Second)
			defer cancel()
			assert.Equal(t, time.Second, deadline.Limit(ctx))
			began := time.Now()
			<-ctx.Done()
			assert.Equal(t, time.Second, time.Since(began))
			assert.ErrorIs(t, ctx.Err(), context.DeadlineExceeded)
		})
	})
	t.Run("no time left is a time-out", func(t *testing.T) {
		var timeout interface{ Timeout() bool }
		assert.True(t, errors.As(error(deadline.Late{}), &timeout) && timeout.Timeout())
	})
}
