package ui

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestALitButtonTakesTheVoteBack(t *testing.T) {
	up := drawn(VoteForms(Votes{Target: "t", Mine: 1}))
	assert.Contains(t, up, `class="up" name="value" value="0" aria-pressed="true">Upvote<`)
	assert.Contains(t, up, `class="down" name="value" value="-1" aria-pressed="false">Downvote<`)
	down := drawn(VoteForms(Votes{Target: "t", Mine: -1}))
	assert.Contains(t, down, `class="up" name="value" value="1"`)
	assert.Contains(t, down, `class="down" name="value" value="0"`)
	assert.Contains(t, drawn(VoteForms(Votes{Closed: true})), "disabled")
}
