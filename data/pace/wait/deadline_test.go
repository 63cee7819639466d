package wait_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"plaza/data/pace/wait"
)

func TestDeadline(t *testing.T) {
	t.Run("a call has its own limit or what the request has left, whichever is less", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ctx := wait.ForRequest(t.Context())
			assert.True(t, wait.Answers(ctx))
			assert.Equal(t, time.Second, wait.Left(ctx, time.Second))
			time.Sleep(wait.Request - 300*time.Millisecond)
			assert.Equal(t, 300*time.Millisecond, wait.Left(ctx, time.Second))
			assert.Equal(t, 100*time.Millisecond, wait.Left(ctx, 100*time.Millisecond))
			time.Sleep(time.Second)
			assert.Negative(t, wait.Left(ctx, time.Second))
		})
	})
	t.Run("what writes leaves time to answer", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ctx := wait.ForRequest(t.Context())
			assert.Equal(t, time.Second, wait.LeftToWrite(ctx, time.Second))
			left := wait.LeftToWrite(ctx, time.Hour)
			assert.Positive(t, left)
			assert.Less(t, left, wait.Left(ctx, time.Hour))
			ctx = wait.ForWork(ctx, wait.Task)
			assert.Equal(t, wait.Task, wait.LeftToWrite(ctx, time.Hour))
		})
	})
	t.Run("a request is not begun twice", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ctx := wait.ForRequest(t.Context())
			time.Sleep(time.Second)
			assert.Equal(t, wait.Request-time.Second, wait.Left(wait.ForRequest(ctx), time.Hour))
		})
	})
	t.Run("work that nobody waits for has its own time", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ctx := wait.ForRequest(t.Context())
			time.Sleep(wait.Request)
			ctx = wait.ForWork(ctx, wait.Task)
			assert.False(t, wait.Answers(ctx))
			assert.Equal(t, wait.Task, wait.Left(ctx, time.Hour))
		})
	})
	t.Run("without a deadline there is the call's own limit", func(t *testing.T) {
		assert.Equal(t, time.Hour, wait.Left(t.Context(), time.Hour))
		assert.False(t, wait.Answers(t.Context()))
	})
	t.Run("a call natively ends with its limit", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := wait.Within(t.Context(), time.Second)
			defer cancel()
			assert.Equal(t, time.Second, wait.Limit(ctx))
			began := time.Now()
			<-ctx.Done()
			assert.Equal(t, time.Second, time.Since(began))
			assert.ErrorIs(t, ctx.Err(), context.DeadlineExceeded)
		})
	})
	t.Run("no time left is a time-out", func(t *testing.T) {
		var timeout interface{ Timeout() bool }
		assert.True(t, errors.As(error(wait.Late{}), &timeout) && timeout.Timeout())
	})
}
