package verify_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/ops/verify"
	"plaza/test/sitetest"
	"plaza/test/stacktest"
)

func TestMain(m *testing.M) { stacktest.Main(m) }

var ctx = context.Background()

// options verify a site without other writers.
func options(s *sitetest.Site, found *[]verify.Difference) verify.Options {
	return verify.Options{Directory: s.Clients[0], Shards: s.Clients, Hot: s.Hot,
		Found: func(d verify.Difference) { *found = append(*found, d) }, Wait: func(context.Context) error { return nil }}
}

func find(t testing.TB, s *sitetest.Site) (found []verify.Difference) {
	t.Helper()
	_, err := verify.Run(ctx, options(s, &found))
	require.NoError(t, err)
	return found
}

func repair(t testing.TB, s *sitetest.Site) (found []verify.Difference) {
	t.Helper()
	o := options(s, &found)
	o.Repair = true
	result, err := verify.Run(ctx, o)
	require.NoError(t, err)
	require.Len(t, found, result.Found)
	return found
}

func TestNoDifference(t *testing.T) {
	for _, shards := range []int{1, 3} {
		t.Run(fmt.Sprintf("a site of %d databases that people have filled has none", shards), func(t *testing.T) {
			s := sitetest.OpenFilled(t, shards)
			require.Empty(t, find(t, s))
			s.ApplyDeltas()
			require.Empty(t, repair(t, s))
		})
	}
}
