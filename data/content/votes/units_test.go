package votes

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"plaza/data"
)

// TestUnitsInSQL compares the numbers in statements with those in Go.
func TestUnitsInSQL(t *testing.T) {
	assert.Equal(t, fmt.Sprint(originPart.Milliseconds()), originPartSQL)
	assert.Equal(t, fmt.Sprint(data.VoteCounted), data.VoteCountedSQL)
	assert.Equal(t, fmt.Sprint(data.VoteQuarantined), data.VoteQuarantinedSQL)
	assert.Equal(t, fmt.Sprint(data.VoteDropped), data.VoteDroppedSQL)
}
