package links

import "context"

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
