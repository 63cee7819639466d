package data_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plaza/data"
	"plaza/data/wire/hrana"
)

func TestReader(t *testing.T) {
	directory := hrana.New(hrana.Options{URL: "http://127.0.0.1:1", Replica: "http://127.0.0.1:2"})
	shard := hrana.New(hrana.Options{URL: "http://127.0.0.1:3"})
	db := data.NewDB(directory, directory, shard)
	for name, test := range map[string]struct {
		kept, says string
	}{
		"nothing":                             {"", ""},
		"a database":                          {"d-1f", "d-1f"},
		"a shard that is the directory":       {"0-1f", "d-1f"},
		"two databases":                       {"d-1f.1-zz", "d-1f.1-zz"},
		"the order does not matter":           {"1-zz.d-1f", "d-1f.1-zz"},
		"a write whose answer was lost":       {"1-3w5e11264sgsf", "1-3w5e11264sgsf"},
		"a database that there is not":        {"7-1.d-2.-1-3", "d-2"},
		"what is no text of ours is left out": {"d-.d.-5...x-y-z;d-1f1f1f1f1f1f1f1f1f1f.d-%", ""},
	} {
		t.Run(name, func(t *testing.T) {
			text, changed := db.NewReader(test.kept).Text()
			assert.Equal(t, test.says, text)
			assert.Equal(t, test.kept != test.says, changed)
		})
	}
	assert.True(t, db.Replicated())
	assert.False(t, data.NewDB(shard).Replicated())
}
