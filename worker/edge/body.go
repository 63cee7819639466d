package edge

import "strings"

// replyBody is the body of a reply, which is in memory as a whole.
type replyBody struct {
	strings.Reader
	text string
}

func newReplyBody(text string) *replyBody {
	b := &replyBody{text: text}
	b.Reset(text)
	return b
}

func (b *replyBody) Close() error { return nil }

// Whole is all of it. Clients of databases take it without a copy.
func (b *replyBody) Whole() string { return b.text }
