package apidoc

import (
	"reflect"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/worker/api"
)

// What programs read of a page, and all that it is made of, stands in the list of models, and each of their fields has a name in JSON and a
// comment for programs, or is left out on purpose.
func TestEveryFieldSaysWhatProgramsRead(t *testing.T) {
	listed := map[reflect.Type]bool{}
	for _, o := range objects() {
		require.False(t, listed[o], o)
		listed[o] = true
	}
	reached := map[reflect.Type]bool{}
	var reach func(whole reflect.Type, inline bool)
	reach = func(whole reflect.Type, inline bool) {
		for whole.Kind() == reflect.Slice || whole.Kind() == reflect.Pointer {
			whole = whole.Elem()
		}
		if whole.Kind() != reflect.Struct || whole == timeType || reached[whole] {
			return
		}
		if !inline {
			require.True(t, listed[whole], "%s is not in the list of models", whole)
			reached[whole] = true
			seen := map[string]bool{}
			for _, f := range allFields(whole) {
				require.Regexp(t, regexp.MustCompile(`^[a-z_]+$`), f.Name, whole)
				require.False(t, seen[f.Name], "%s has %s twice", whole, f.Name)
				seen[f.Name] = true
				require.Regexp(t, regexp.MustCompile(`^[A-Z\x60].*\.$`), f.says, "%s.%s has no comment that is a sentence", whole, f.Source.Name)
			}
		}
		written := map[string]bool{}
		for _, f := range api.Fields(whole) {
			written[f.Source.Name] = true
			if !f.Computed {
				reach(f.Source.Type, f.Inline())
			}
		}
		for i := range whole.NumField() {
			f := whole.Field(i)
			require.True(t, written[f.Name] || f.Tag.Get("json") == "-", "the tags of %s.%s say nothing of JSON", whole, f.Name)
		}
	}
	for _, r := range reads {
		reach(reflect.TypeOf(r.model), false)
	}
	require.Len(t, reached, len(listed))
}
