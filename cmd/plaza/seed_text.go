package main

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"regexp"
	"strconv"
	"strings"
)

var (
	//go:embed sample/seed.json
	seedJSON []byte
	//go:embed sample/threads/*.txt
	threadFiles embed.FS
	//go:embed sample/cases.sql
	casesSQL string

	persons  [][2]string // demo members: name and bio
	ownPosts [][5]string // their posts: community, title, text, link, author. Posts in missing communities are left out
	threads  []demoThread
)

// demoThread is the talk below one post.
type demoThread struct {
	post     string // the id that it had where it was imported from, or the title of an own post
	comments []demoComment
}

// demoComment is a comment. Its replies follow it, one level deeper.
type demoComment struct {
	author, text string
	depth        int
	liking       int // how many more votes it gets than others; below 0 they are downvotes
}

func init() {
	if err := json.Unmarshal(seedJSON, &struct {
		Persons *[][2]string
		Posts   *[][5]string
	}{&persons, &ownPosts}); err != nil {
		panic(err)
	}
	files, _ := fs.Glob(threadFiles, "sample/threads/*.txt") // the pattern is right
	for _, name := range files {
		text, _ := threadFiles.ReadFile(name)
		threads = append(threads, readThread(string(text)))
	}
}

// A comment begins with its author. Two spaces before make it a reply to the one above.
var commentStart = regexp.MustCompile(`^((?:  )*)@([\w-]+)(?: ([+-]\d+))?: *(.*)$`)

// readThread reads a file of sample/threads. Its first line is the id of an imported post, two spaces and its title, or only the title of
// an own post. A comment is "@author: text", or "@author +3: text" to be liked more, and its further lines have the same indentation.
func readThread(text string) demoThread {
	first, rest, _ := strings.Cut(text, "\n")
	post, _, _ := strings.Cut(first, "  ")
	t, indent := demoThread{post: post}, ""
	for _, line := range strings.Split(rest, "\n") {
		if m := commentStart.FindStringSubmatch(line); m != nil {
			liking, _ := strconv.Atoi(m[3]) // 0 if there is none
			indent = m[1]
			t.comments = append(t.comments, demoComment{m[2], m[4], len(indent) / 2, liking})
		} else {
			t.comments[len(t.comments)-1].text += "\n" + strings.TrimPrefix(line, indent)
		}
	}
	return t
}

// person returns the n-th demo member. After the last, names repeat with a number.
func person(n int) (name, bio string) {
	p := persons[n%len(persons)]
	if round := n / len(persons); round > 0 {
		return fmt.Sprintf("%s%d", p[0], round+1), p[1]
	}
	return p[0], p[1]
}
