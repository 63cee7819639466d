package schema

import (
	"slices"
	"strings"
)

// Canonical returns the canonical form of a statement: without comments and IF NOT EXISTS, one space between tokens, and no quotes around
// plain names. So a statement of a file equals the one that SQLite stores, also after ALTER TABLE.
func Canonical(statement string) string {
	return strings.Join(canonicalWords(statement), " ")
}

func canonicalWords(statement string) (words []string) {
	for i := 0; i < len(statement); {
		n, kind := token(statement[i:])
		if kind != space {
			words = append(words, unquoted(statement[i:i+n]))
		}
		if n := len(words); n >= 3 && slices.EqualFunc(words[n-3:], []string{"IF", "NOT", "EXISTS"}, strings.EqualFold) {
			words = words[:n-3]
		}
		i += n
	}
	return words
}

// unquoted removes the double quotes from a name that needs none.
func unquoted(word string) string {
	if len(word) < 3 || word[0] != '"' || word[len(word)-1] != '"' {
		return word
	}
	inner := word[1 : len(word)-1]
	for i := range len(inner) {
		if !isName(inner[i]) {
			return word
		}
	}
	return inner
}

// Object returns what a CREATE statement creates: its kind in lower case (table, index, trigger, view), and its name. Both are empty for
// any other statement.
func Object(statement string) (kind, name string) {
	words := canonicalWords(statement)
	if len(words) == 0 || !strings.EqualFold(words[0], "CREATE") {
		return "", ""
	}
	for i, w := range words[1:] {
		switch kind = strings.ToLower(w); kind {
		case "table", "index", "trigger", "view":
			if i+2 < len(words) {
				return kind, words[i+2]
			}
		}
	}
	return "", ""
}

// Objects are the canonical statements of a file of CREATE statements, by their kind and name: "table posts".
func Objects(sql string) map[string]string {
	created := map[string]string{}
	for _, statement := range Split(sql) {
		kind, name := Object(statement)
		created[kind+" "+name] = Canonical(statement)
	}
	return created
}

// Parameters returns the names of a statement's named parameters, without the colon, each once.
func Parameters(statement string) (names []string) {
	seen := map[string]bool{}
	colon := false
	for i := 0; i < len(statement); {
		n, kind := token(statement[i:])
		word := statement[i : i+n]
		if colon && kind == name && !seen[word] {
			seen[word] = true
			names = append(names, word)
		}
		colon = kind == other && word == ":"
		i += n
	}
	return names
}
