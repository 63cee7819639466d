package links

import "context"

type replyLimitKey struct{}

// WithReplyLimit returns a context. In calls with it, Web reads only the first bytes of the response, up to the limit. Without a limit, a
// response that is too long is an error.
func WithReplyLimit(ctx context.Context, bytes int) context.Context {
	return context.WithValue(ctx, replyLimitKey{}, bytes)
}

type keepReplyKey struct{}

// KeepReply returns a context for calls that fetch a picture. If the edge keeps the bytes, it gives Go a response with the header KeptReply
// and no body. If Go sets the header KeptBody in its own response, the edge sends the kept picture as its body. A Web without this feature
// returns the body as always.
func KeepReply(ctx context.Context) context.Context {
	return context.WithValue(ctx, keepReplyKey{}, "keep")
}

// KeepSmallReply returns a context for a picture that is shown beside a title. The edge keeps the picture as Cloudflare transforms it, if
// the site has image transformations, else the picture itself. It keeps none that is longer than the limit of WithReplyLimit.
func KeepSmallReply(ctx context.Context) context.Context {
	return context.WithValue(ctx, keepReplyKey{}, "small")
}

// ReplyMode returns what to do with a picture, in the words of shim/io.mjs: keep after KeepReply, small after KeepSmallReply, else "".
func ReplyMode(ctx context.Context) string {
	how, _ := ctx.Value(keepReplyKey{}).(string)
	return how
}

const (
	// KeptReply has five values of a picture, separated by spaces: type, width, height, number of pixels in all frames, number of bytes. If
	// the picture is too long, width, height and pixels are 0.
	KeptReply = "X-Plaza-Kept"
	// KeptBody, with any value, makes the picture that was kept the body of a response.
	KeptBody = "X-Plaza-Body"
)

// ReplyLimit returns the limit set by WithReplyLimit, or 0.
func ReplyLimit(ctx context.Context) int {
	limit, _ := ctx.Value(replyLimitKey{}).(int)
	return limit
}
