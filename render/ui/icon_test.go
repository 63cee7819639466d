package ui

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestTileTakesOnlyHexColours(t *testing.T) {
	for _, c := range []string{"red", "#12", "#1234567", "url(x)", "\"/><script>", "#ggg", "+12345", ""} {
		fill, dark := tile("golang", c)
		assert.Contains(t, tileColours, fill, c)
		assert.False(t, dark)
	}
	fill, dark := tile("x", "#FE0")
	assert.Equal(t, "#FFEE00", fill)
	assert.True(t, dark)
}
