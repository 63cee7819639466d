package worker

import "context"

// Background runs a task that the answer does not wait for. At the edge it runs
// once the answer has been handed over, in the same event, which the platform
// keeps alive for it (30 seconds at most); ctx passed to the task is the event's.
// What must not be lost belongs into a queue instead.
type Background func(ctx context.Context, task func(ctx context.Context))

type replyLimitKey struct{}

// WithReplyLimit has a client read only the first so many bytes of the body of every reply
// to a call that is made with the context returned. Without it a reply that is too long is
// an error.
func WithReplyLimit(ctx context.Context, bytes int) context.Context {
	return context.WithValue(ctx, replyLimitKey{}, bytes)
}

// ReplyLimit returns the limit set by WithReplyLimit, or 0.
func ReplyLimit(ctx context.Context) int {
	limit, _ := ctx.Value(replyLimitKey{}).(int)
	return limit
}
