package edge

import "strings"

// replyBody is the body of a reply. All of it is in memory.
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

// Whole returns all of it. Clients of databases use it without copying it.
func (b *replyBody) Whole() string { return b.text }
