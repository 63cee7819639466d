package setup

import (
	"testing"

	"plaza/test/stacktest"
)

func TestMain(m *testing.M) { stacktest.Main(m) }
