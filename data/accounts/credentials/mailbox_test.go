package credentials_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plaza/data/accounts/credentials"
)

func TestMailbox(t *testing.T) {
	for address, want := range map[string]string{
		"ann@example.org":              "ann@example.org",
		"ANN@Example.ORG":              "ann@example.org",
		"ann+tag@example.org":          "ann@example.org",
		"ann+tag+more@example.org":     "ann@example.org",
		"+ann@example.org":             "+ann@example.org",
		"a.nn@example.org":             "a.nn@example.org",
		"a.n.n+x@gmail.com":            "ann@gmail.com",
		"Ann@GoogleMail.com":           "ann@gmail.com",
		"\u0130nn@example.org":         "\u0130nn@example.org",
		"no address":                   "no address",
		"ann+a@home+office.example":    "ann@home+office.example",
		"ann@sub.gmail.com.example":    "ann@sub.gmail.com.example",
		"first.last+plaza@example.org": "first.last@example.org",
	} {
		assert.Equal(t, want, credentials.Mailbox(address), address)
	}
}

// TestOwner: an address that may belong to another person has another owner.
func TestOwner(t *testing.T) {
	for address, want := range map[string]string{
		"ANN@Example.ORG":      "ann@example.org",
		"ann+tag@example.org":  "ann+tag@example.org",
		"a.n.n+x@gmail.com":    "ann@gmail.com",
		"Ann@GoogleMail.com":   "ann@gmail.com",
		"ann+shop@outlook.com": "ann@outlook.com",
		"a.nn@outlook.com":     "a.nn@outlook.com",
		"no address":           "no address",
	} {
		assert.Equal(t, want, credentials.Owner(address), address)
	}
}
