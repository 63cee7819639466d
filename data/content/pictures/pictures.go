package pictures

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"plaza/data"
)

const (
	// MaxOfPost is how many pictures a post has at most.
	MaxOfPost = 10
	// MaxOfComment is how many pictures a comment has at most.
	MaxOfComment = 4
	// AltMax is the longest description of a picture, in characters.
	AltMax = 500
	// LightMax is the maximum size, in bytes, of a picture that listings show without a small version. The script of forms makes none larger.
	LightMax = 400 << 10
)

// Picture is a picture as the row of a post or comment stores it. The triggers posts_pictured, posts_repictured, posts_unpictured,
// comments_pictured, comments_repictured and comments_unpictured read the sum.
type Picture struct {
	Sum    string `json:"sum"`
	Width  int    `json:"w"`
	Height int    `json:"h"`
	Alt    string `json:"alt,omitempty"`    // its description, for screen readers
	Colour string `json:"colour,omitempty"` // the dominant colour, such as #00695c
	Small  bool   `json:"small,omitempty"`  // listings show its small version: the author of the post has uploaded it
	Light  bool   `json:"light,omitempty"`  // it has at most LightMax bytes
}

// Chosen is a picture as the form of a post or comment names it.
type Chosen struct{ Sum, Alt string }

// quotes escapes quotation marks as JSON escapes <, > and &. So a description has no fewer bytes in the column than in an attribute of a
// page, and the column's length limits both (data/content/comments/page_sql.go).
var quotes = strings.NewReplacer(`\\`, `\\`, `\"`, `\u0022`, `'`, `\u0027`)

// Encode returns the value of the column posts.pictures.
func Encode(list []Picture) string {
	if len(list) == 0 {
		return ""
	}
	text, _ := json.Marshal(list) // encoding texts and numbers can't fail
	return quotes.Replace(string(text))
}

// Scan parses the column posts.pictures.
func Scan(r *data.Row) (list []Picture) {
	if text := r.Text(); text != "" {
		r.Fail(json.Unmarshal([]byte(text), &list))
	}
	return list
}

// ChosenOf returns stored pictures as a form names them.
func ChosenOf(list []Picture) []Chosen {
	chosen := make([]Chosen, len(list))
	for i, p := range list {
		chosen[i] = Chosen{p.Sum, p.Alt}
	}
	return chosen
}

// IsSum reports whether a text has the form of a picture's sum.
func IsSum(s string) bool {
	if len(s) != 64 {
		return false
	}
	for i := range len(s) {
		if (s[i] < '0' || s[i] > '9') && (s[i] < 'a' || s[i] > 'f') {
			return false
		}
	}
	return true
}

// Check normalizes and checks the pictures of a post's form. It removes duplicates.
func Check(list []Chosen) ([]Chosen, error) { return check(list, MaxOfPost, ErrMany) }

// CheckOfComment is Check for the form of a comment.
func CheckOfComment(list []Chosen) ([]Chosen, error) {
	return check(list, MaxOfComment, ErrManyOfComment)
}

// Errors about too many pictures.
var (
	ErrMany          error = data.Mistake("pictures", "A post has at most 10 pictures.")
	ErrManyOfComment error = data.Mistake("pictures", "A comment has at most 4 pictures.")
)

func check(list []Chosen, limit int, tooMany error) ([]Chosen, error) {
	var kept []Chosen
	known := map[string]bool{}
	for _, c := range list {
		if known[c.Sum] {
			continue
		}
		known[c.Sum] = true
		c.Alt = data.Line(c.Alt)
		if !IsSum(c.Sum) {
			return nil, data.Mistake("pictures", "That is no picture of this site. Please upload it first.")
		}
		if utf8.RuneCountInString(c.Alt) > AltMax {
			return nil, data.Mistake("pictures", "The description of a picture has at most 500 characters.")
		}
		kept = append(kept, c)
	}
	if len(kept) > limit {
		return nil, tooMany
	}
	return kept, nil
}
