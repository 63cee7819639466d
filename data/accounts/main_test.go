package accounts_test

import (
	"testing"

	"plaza/stack/stacktest"
)

func TestMain(m *testing.M) {
	if !copiesNames() {
		stacktest.Main(m)
	}
}
