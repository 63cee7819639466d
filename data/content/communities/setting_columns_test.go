package communities_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data/content/communities"
)

// TestSettingColumns compares the columns with the fields: each text has its own column, and the rules another.
func TestSettingColumns(t *testing.T) {
	var set communities.Settings
	for _, column := range communities.SettingColumns {
		if text := set.Text(column); text != nil {
			require.Empty(t, *text, "%s has the field of another column", column)
			*text = column
		} else {
			require.Equal(t, "rules", column)
		}
	}
	texts, fields := 0, reflect.ValueOf(set)
	for i := range fields.NumField() {
		if fields.Field(i).Kind() == reflect.String {
			require.NotEmpty(t, fields.Field(i).String(), "%s has no column", fields.Type().Field(i).Name)
			texts++
		}
	}
	require.Len(t, communities.SettingColumns, texts+1)
}
