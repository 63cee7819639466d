// Package schema has the migration steps that lead to the tables of schema.sql. It also splits SQL files into statements and compares
// statements. It understands only as much SQL as that needs, and does no I/O: package migrate runs the steps.
//
// schema.sql shows all tables, and triggers.sql all triggers and views. A test compares an empty database after all steps with both.
package schema

import "strings"

// Split returns the statements of sql in order, without their closing semicolons and without the white space and comments between them.
// Semicolons inside quotes, comments and the body of a trigger do not end a statement. An unfinished statement is returned as it is, for
// the database to refuse.
//
// The rule for triggers is the one of sqlite3_complete(): a statement that starts CREATE [TEMP|TEMPORARY] TRIGGER ends with ";" END ";".
// https://sqlite.org/src/file/src/complete.c
func Split(sql string) []string {
	var out []string
	var start, end int // of the statement's text: first byte, after the last token
	var head []string  // its first words, upper case
	var trigger, afterSemi, afterEnd bool
	begin := func(i int) {
		start, end, head = i, i, head[:0]
		trigger, afterSemi, afterEnd = false, false, false
	}
	begin(-1)
	for i := 0; i < len(sql); {
		n, kind := token(sql[i:])
		switch {
		case kind == space:
			i += n
			continue
		case kind == semicolon && (start < 0 || !trigger || afterEnd):
			if start >= 0 {
				out = append(out, sql[start:end])
			}
			begin(-1)
			i += n
			continue
		case start < 0:
			begin(i)
		}
		word := ""
		if kind == name {
			word = strings.ToUpper(sql[i : i+n])
		}
		if len(head) < 3 {
			head = append(head, word)
			trigger = isTrigger(head)
		}
		afterEnd = afterSemi && word == "END"
		afterSemi = kind == semicolon
		i += n
		end = i
	}
	if start >= 0 {
		out = append(out, sql[start:end])
	}
	return out
}

func isTrigger(head []string) bool {
	switch len(head) {
	case 2:
		return head[0] == "CREATE" && head[1] == "TRIGGER"
	case 3:
		return head[0] == "CREATE" && (head[1] == "TRIGGER" ||
			(head[1] == "TEMP" || head[1] == "TEMPORARY") && head[2] == "TRIGGER")
	}
	return false
}

const (
	space = iota // and comments
	semicolon
	name
	other
)

// token returns the length, at least 1, and the kind of the token s starts with.
func token(s string) (n, kind int) {
	switch c := s[0]; {
	case c == ';':
		return 1, semicolon
	case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f':
		return 1, space
	case strings.HasPrefix(s, "\ufeff"):
		return len("\ufeff"), space
	case strings.HasPrefix(s, "--"):
		return through(s, 2, "\n"), space
	case strings.HasPrefix(s, "/*"):
		return through(s, 2, "*/"), space
	case c == '\'' || c == '"' || c == '`':
		// A doubled quote ends one quoted text and begins the next, with the same effect.
		return through(s, 1, s[:1]), other
	case c == '[':
		return through(s, 1, "]"), other
	case isName(c):
		for n = 1; n < len(s) && isName(s[n]); n++ {
		}
		return n, name
	}
	return 1, other
}

func isName(c byte) bool {
	return c == '_' || c == '$' || c >= 0x80 || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func through(s string, from int, end string) int {
	if i := strings.Index(s[from:], end); i >= 0 {
		return from + i + len(end)
	}
	return len(s)
}
