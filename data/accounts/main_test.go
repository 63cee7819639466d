package accounts_test

import (
	"testing"

	"plaza/test/stacktest"
)

func TestMain(m *testing.M) {
	if !copiesNames() {
		stacktest.Main(m)
	}
}
