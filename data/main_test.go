package data_test

import (
	"plaza/stack/stacktest"
	"testing"
)

func TestMain(m *testing.M) { stacktest.Main(m) }
