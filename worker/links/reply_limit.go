package links

import "context"

type replyLimitKey struct{}

// WithReplyLimit returns a context. Of a reply to a call that is made with it, Web reads only the first so many
// bytes. Without a limit, a reply that is too long is an error.
func WithReplyLimit(ctx context.Context, bytes int) context.Context {
	return context.WithValue(ctx, replyLimitKey{}, bytes)
}

// ReplyLimit returns the limit set by WithReplyLimit, or 0.
func ReplyLimit(ctx context.Context) int {
	limit, _ := ctx.Value(replyLimitKey{}).(int)
	return limit
}
