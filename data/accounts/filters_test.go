package accounts

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestMatching(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	p := FilterSubject{Community: "Gophers", Domain: "blog.example.com", Title: "The café is open: GO in", Text: "C++ and Rust.", Tags: []string{"web"}}
	for name, tt := range map[string]struct {
		kind, value string
		until       time.Duration
		want        bool
	}{
		"a community in any spelling":              {FilterCommunity, "/c/gophers", 0, true},
		"another community":                        {FilterCommunity, "gopher", 0, false},
		"a tag":                                    {FilterTag, "#Web", 0, true},
		"a host above the link's":                  {FilterDomain, "https://www.Example.com/x", 0, true},
		"not one that only ends alike":             {FilterDomain, "ample.com", 0, false},
		"a host in other letters":                  {FilterDomain, "blog。ＥＸＡＭＰＬＥ.com", 0, true},
		"a whole word of the title":                {FilterWords, "go", 0, true},
		"a part of a word is none":                 {FilterWords, "caf", 0, false},
		"with its accents":                         {FilterWords, "CAFÉ", 0, true},
		"words in a row, whatever is between them": {FilterWords, "is  open, go", 0, true},
		"words of the text":                        {FilterWords, "rust", 0, true},
		"not across title and text":                {FilterWords, "in c", 0, false},
		"while it lasts":                           {FilterWords, "rust", time.Minute, true},
		"and no longer":                            {FilterWords, "rust", -time.Minute, false},
	} {
		t.Run(name, func(t *testing.T) {
			f := Filter{Kind: tt.kind, Value: tt.value}
			assert.NoError(t, f.validate())
			if tt.until != 0 {
				f.Until = now.Add(tt.until).UnixMilli()
			}
			assert.Equal(t, tt.want, Matching([]Filter{{Kind: FilterWords, Value: "nothing of it"}, f}, &p, now) == 1)
		})
	}
	for _, f := range []Filter{{Kind: FilterWords, Value: " . "}, {Kind: "colour", Value: "red"}, {Kind: FilterTag},
		{Kind: FilterDomain, Value: "not a domain!"}, {Kind: FilterDomain, Value: "com"}, {Kind: FilterDomain}} {
		assert.Error(t, f.validate())
	}
}

// TestDomainsOfFilters: a filter matches its domain in any form, also if it was stored before domains were normalized.
func TestDomainsOfFilters(t *testing.T) {
	p := FilterSubject{Domain: "a.xn--mnchen-3ya.example"}
	for _, value := range []string{"münchen.example", "MÜNCHEN.example", "mu\u0308nchen.example", "xn--mnchen-3ya.example", "https://www.münchen.example/a"} {
		stored := Filter{Kind: FilterDomain, Value: value}
		assert.Zero(t, Matching([]Filter{stored}, &p, time.Time{}), value)
		assert.NoError(t, stored.validate())
		assert.Equal(t, "xn--mnchen-3ya.example", stored.Value)
		assert.Zero(t, Matching([]Filter{stored}, &p, time.Time{}), value)
	}
}
