package ranking

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestParseOrder(t *testing.T) {
	for _, text := range []string{"hot", "new", "top", "rising", "controversial", "comments"} {
		order, ok := ParseOrder(text)
		assert.True(t, ok, text)
		assert.Equal(t, text, string(order))
		assert.Contains(t, Orders(), order)
	}
	assert.Len(t, Orders(), 6)
	for _, text := range []string{"", "best", "HOT", "hot "} {
		_, ok := ParseOrder(text)
		assert.False(t, ok, text)
	}
}

func TestParseCommentOrder(t *testing.T) {
	for _, text := range []string{"best", "top", "new", "old", "controversial", "qa"} {
		order, ok := ParseCommentOrder(text)
		assert.True(t, ok, text)
		assert.Equal(t, text, string(order))
		assert.Contains(t, CommentOrders(), order)
	}
	assert.Len(t, CommentOrders(), 6)
	for _, text := range []string{"", "hot", "Best"} {
		_, ok := ParseCommentOrder(text)
		assert.False(t, ok, text)
	}
}
