package editions_test

import (
	"testing"

	"plaza/test/stacktest"
	"plaza/test/storetest"
)

func TestMain(m *testing.M) { stacktest.Main(m) }

func TestPlans(t *testing.T) {
	storetest.CheckPlans(t, storetest.Plans{Exceptions: map[string]map[string]string{
		"before":     {"SCAN e": "the last editions, of which LIMIT bounds how many"},
		"candidates": {"SCAN p USING INDEX posts_site_hot": "the hottest posts, of which LIMIT bounds how many"},
	}})
}
