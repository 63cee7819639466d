package communities_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data/content/communities"
)

func TestSettingColumns(t *testing.T) {
	require.Len(t, communities.SettingColumns, communities.SettingTexts()+1)
	require.Equal(t, "rules", communities.SettingColumns[communities.SettingTexts()])
}
