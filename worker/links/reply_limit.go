package links

import "context"

type replyLimitKey struct{}

// WithReplyLimit returns a context. Of a reply to a call that is made with it, Web reads only the first so many
// bytes. Without a limit, a reply that is too long is an error.
func WithReplyLimit(ctx context.Context, bytes int) context.Context {
	return context.WithValue(ctx, replyLimitKey{}, bytes)
}

type keepReplyKey struct{}

// KeepReply returns a context. The edge keeps a picture that answers a call made with it, and says what it is in the header KeptReply,
// without a body. Go answers its own request with that picture by the header KeptBody. A Web that can't do so passes the body as always.
func KeepReply(ctx context.Context) context.Context {
	return context.WithValue(ctx, keepReplyKey{}, "keep")
}

// KeepSmallReply returns a context for a picture that is shown beside a title. The edge keeps what Cloudflare makes of it, if the site
// has image transformations, else the picture itself. What is longer than the limit of WithReplyLimit is not kept.
func KeepSmallReply(ctx context.Context) context.Context {
	return context.WithValue(ctx, keepReplyKey{}, "small")
}

// KeepsReply says what to do with a picture, in the words of shim/io.mjs: keep after KeepReply, small after KeepSmallReply, else nothing.
func KeepsReply(ctx context.Context) string {
	how, _ := ctx.Value(keepReplyKey{}).(string)
	return how
}

const (
	// KeptReply has the type, width, height, pixels of all frames and bytes of a picture, with spaces between. Sizes are 0 of one that is
	// too long.
	KeptReply = "X-Plaza-Kept"
	// KeptBody, of any value, makes the picture that was kept the body of an answer.
	KeptBody = "X-Plaza-Body"
)

// ReplyLimit returns the limit set by WithReplyLimit, or 0.
func ReplyLimit(ctx context.Context) int {
	limit, _ := ctx.Value(replyLimitKey{}).(int)
	return limit
}
