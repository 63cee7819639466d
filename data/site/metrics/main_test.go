package metrics_test

import (
	"testing"

	"plaza/stack/stacktest"
)

func TestMain(m *testing.M) { stacktest.Main(m) }
