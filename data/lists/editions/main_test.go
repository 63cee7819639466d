package editions_test

import (
	"testing"

	"plaza/test/stacktest"
)

func TestMain(m *testing.M) { stacktest.Main(m) }
