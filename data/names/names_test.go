package names_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"plaza/data/names"
)

func TestNames(t *testing.T) {
	for name, is := range map[string]struct{ member, community bool }{
		"ann": {true, true}, "Ann": {true, true}, "a1b": {true, true}, "123": {true, true}, "1a2": {true, true}, "a_b": {true, true},
		"a__b": {true, true}, "a-b": {true, false}, "a--b": {true, false}, "a_-b": {}, "a-_b": {}, "a-_a_-a": {}, "a-b_c": {true, false},
		strings.Repeat("a", 20): {true, true}, strings.Repeat("a", 21): {false, true}, strings.Repeat("a", 22): {},
		"a" + strings.Repeat("_", 18) + "b": {true, true}, "a" + strings.Repeat("_", 19) + "b": {false, true},
		"": {}, "a": {}, "ab": {}, "a_": {}, "_ab": {}, "ab_": {}, "_ab_": {}, "__a__": {}, "-ab": {}, "ab-": {}, "-": {}, "___": {}, "-_-": {},
		"a b": {}, "ann ": {}, " ann": {}, "ann\n": {}, "a.b": {}, "a@b": {}, "a/b": {}, "änn": {}, "annä": {}, "анна": {}, "a\u0301nn": {},
		"ａnn": {}, "a\u200bnn": {}, "١٢٣": {}, "ann\xff": {}, "a\x00b": {},
	} {
		assert.Equal(t, is.member, names.Member.Is(name), "%q as a member's", name)
		assert.Equal(t, is.community, names.Community.Is(name), "%q as a community's", name)
	}
}

func TestTheNameThatATextBeginsWith(t *testing.T) {
	for text, want := range map[string]string{
		"ann": "ann", "ann.": "ann", "ann- ": "ann", "ann_": "ann", "ann--": "ann", "a-b c": "a-b", "ann-_b": "ann", "ann谢谢": "ann", "annä": "ann",
		"ab": "", "ab_": "", "_ann": "", ".ann": "", "": "", strings.Repeat("a", 21): "", strings.Repeat("a", 20) + "-b": "",
	} {
		assert.Equal(t, want, text[:names.Member.Prefix(text)], text)
	}
}
