package rules

import (
	"slices"
	"strings"
)

// dictionary has the words and phrases of several rules, to find all of them in one pass over a text. It is a tree whose edges are words,
// so the cost of a pass does not depend on the number of words.
type dictionary struct {
	next   map[string]*dictionary // by the following word
	ends   []int                  // the rules with a phrase that ends here
	begins map[string][]int       // the rules with a phrase that ends with a word with this prefix
	sizes  []int                  // of the keys of begins, in bytes, the shortest first
}

// dictionaryOf makes the dictionary of some rules, nil if they have no words. Rules are identified by their index.
func dictionaryOf(rules []*Rule) *dictionary {
	var d *dictionary
	for i, r := range rules {
		for _, word := range r.Words {
			if d == nil {
				d = &dictionary{}
			}
			d.add(strings.Fields(plain(word)), strings.HasSuffix(word, "*"), i)
		}
	}
	return d
}

// add adds a phrase of a rule. If open is set, its last word is a prefix.
func (d *dictionary) add(phrase []string, open bool, rule int) {
	for i, word := range phrase {
		if open && i == len(phrase)-1 {
			if d.begins == nil {
				d.begins = map[string][]int{}
			}
			if at, found := slices.BinarySearch(d.sizes, len(word)); !found {
				d.sizes = slices.Insert(d.sizes, at, len(word))
			}
			d.begins[word] = with(d.begins[word], rule)
			return
		}
		if d.next[word] == nil {
			if d.next == nil {
				d.next = map[string]*dictionary{}
			}
			d.next[word] = &dictionary{}
		}
		d = d.next[word]
	}
	d.ends = with(d.ends, rule)
}

func with(list []int, rule int) []int {
	if slices.Contains(list, rule) {
		return list
	}
	return append(list, rule)
}

// find marks the rules with a word or phrase in a text of plain. It returns the number of look-ups.
func (d *dictionary) find(text string, hit []bool) (steps int) {
	for at := 1; at < len(text); at += strings.IndexByte(text[at:], ' ') + 1 {
		steps += d.walk(text[at:], hit)
	}
	return steps
}

// walk marks the rules with a phrase at the beginning of a text.
func (d *dictionary) walk(text string, hit []bool) (steps int) {
	for text != "" {
		word, rest, _ := strings.Cut(text, " ")
		for _, size := range d.sizes {
			if size > len(word) {
				break
			}
			steps++
			mark(hit, d.begins[word[:size]])
		}
		steps++
		if d = d.next[word]; d == nil {
			break
		}
		mark(hit, d.ends)
		text = rest
	}
	return steps
}

func mark(hit []bool, rules []int) {
	for _, r := range rules {
		hit[r] = true
	}
}
