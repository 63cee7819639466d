package editions_test

import (
	"testing"

	"plaza/test/stacktest"
	"plaza/test/storetest"
)

func TestMain(m *testing.M) { stacktest.Main(m) }

func TestPlans(t *testing.T) { storetest.CheckPlans(t, storetest.Plans{}) }
