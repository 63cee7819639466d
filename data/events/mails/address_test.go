package mails_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data/events/mails"
)

func TestKeyOf(t *testing.T) {
	for _, same := range [][]string{
		{"ann@example.org", "ANN@Example.ORG", "ann@example.org.", "ann@ｅxample.org", "ann@example。org", "ann@exam\u00adple.org"},
		{"x@xn--mller-kva.example", "x@müller.example", "x@MÜLLER.example", "x@mu\u0308ller.example", "X@xn--MLLER-kva.example"},
		{"x@xn--strae-oqa.example", "x@straße.example"}, {"x@strasse.example", "x@STRASSE.example"},
		{"jörg@xn--bro-hoa.example", "jo\u0308rg@büro.example", "JÖRG@büro.example"}, {"\u0130nn@example.org"}, {"inn@example.org"},
		{"no address", "NO address"}, {"ann@", "ANN@"}, {"@example.org", "@Example.org"}, {"a@b@example.org"}, {"ann@[127.0.0.1]"},
		{"x@a_b.example", "x@A_B.example"}, {"x@xn--r8jz45g.example", "x@例え.example", "x@例え．example"}, {"x@xn--e1aybc.example", "x@тест.example", "x@ТЕСТ.example"},
	} {
		for _, typed := range same {
			require.Equal(t, same[0], mails.KeyOf(typed), typed)
			require.Equal(t, same[0], mails.KeyOf(mails.KeyOf(typed)), typed)
		}
	}
	long := "x@" + strings.Repeat("ü", 600) + ".example"
	require.Equal(t, long, mails.KeyOf(long), "Punycode of 60 KB takes twenty seconds")
	for address, want := range map[string]string{long: long, "Ann@MÜLLER.example": "Ann@xn--mller-kva.example", "ann@example.org": "ann@example.org",
		"ann@[127.0.0.1]": "ann@[127.0.0.1]", "ann": "ann"} {
		got, ok := mails.WithASCIIDomain(address)
		require.Equal(t, want, got)
		require.Equal(t, want != address || address == "ann@example.org", ok, address)
	}
}
