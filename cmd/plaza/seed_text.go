package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
)

//go:embed sample/seed.json
var seedJSON []byte

var (
	persons  [][2]string // demo members: names, and what they say of themselves
	ownPosts [][4]string // of theirs: community, title, text, link. Those of communities that are not there are left out
	// Comments come from a small grammar: {name} is replaced by one of the lines of that name, down to the words.
	grammar map[string][]string
	topics  map[string]string // which lines suit a community; general ones suit the others
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

// person is the n-th demo member, however many are asked for.
func person(n int) (name, bio string) {
	p := persons[n%len(persons)]
	if round := n / len(persons); round > 0 {
		return fmt.Sprintf("%s%d", p[0], round+1), p[1]
	}
	return p[0], p[1]
}

// sentence writes a text from a line of the grammar.
func sentence(rng *rand.Rand, name string) string {
	lines := grammar[name]
	text := lines[rng.IntN(len(lines))]
	for {
		start := strings.IndexByte(text, '{')
		if start < 0 {
			return text
		}
		end := start + strings.IndexByte(text[start:], '}')
		word := sentence(rng, text[start+1:end])
		text = text[:start] + word + text[end+1:]
	}
}

// comment writes a reply to a post of a community, or to a comment on one.
func comment(rng *rand.Rand, community string, reply bool) string {
	topic := topics[strings.ToLower(community)]
	if topic == "" {
		topic = "general"
	}
	if reply && rng.IntN(10) < 7 {
		topic = "reply"
	}
	text := sentence(rng, topic)
	// Lines of the grammar may stand anywhere in a sentence, which begins with a capital letter.
	return strings.ToUpper(text[:1]) + text[1:]
}
