package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
)

//go:embed sample/seed.json
var seedJSON []byte

var (
	persons  [][2]string // demo members: name and bio
	ownPosts [][4]string // their posts: community, title, text, link. Posts in missing communities are left out
	// Comments come from a small grammar: {name} is replaced by a random line of that name, recursively.
	grammar map[string][]string
	topics  map[string]string // which lines suit a community; the others get general ones
)

func init() {
	if err := json.Unmarshal(seedJSON, &struct {
		Persons *[][2]string
		Posts   *[][4]string
		Grammar *map[string][]string
		Topics  *map[string]string
	}{&persons, &ownPosts, &grammar, &topics}); err != nil {
		panic(err)
	}
}

// person returns the n-th demo member. After the last, names repeat with a number.
func person(n int) (name, bio string) {
	p := persons[n%len(persons)]
	if round := n / len(persons); round > 0 {
		return fmt.Sprintf("%s%d", p[0], round+1), p[1]
	}
	return p[0], p[1]
}

var placeholder = regexp.MustCompile(`\{[^}]*\}`)

// sentence writes a text from a line of the grammar.
func sentence(rng *rand.Rand, name string) string {
	lines := grammar[name]
	return placeholder.ReplaceAllStringFunc(lines[rng.IntN(len(lines))], func(s string) string { return sentence(rng, s[1:len(s)-1]) })
}

// comment writes a comment on a post of a community or, with reply, on another comment.
func comment(rng *rand.Rand, community string, reply bool) string {
	topic := topics[strings.ToLower(community)]
	if topic == "" {
		topic = "general"
	}
	if reply && rng.IntN(10) < 7 {
		topic = "reply"
	}
	text := sentence(rng, topic)
	// Lines of the grammar have no capital letter at the start, because they may be used inside a sentence.
	return strings.ToUpper(text[:1]) + text[1:]
}
