// Package exchange is the neutral format for the export and import of communities: lines of JSON, each an object with a type
// (docs/exchange.md). It writes and reads the lines, and converts dumps of other sites. It does not use databases; `plaza export` and
// package importer do.
package exchange

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"strings"
	"time"
)

// Version is the version of the format, in the first line of a file.
const Version = 1

// Header is the first line of a file.
type Header struct {
	Type    string    `json:"type"` // export
	Version int       `json:"version"`
	Site    string    `json:"site"` // the origin of the ids and names in the file, such as reddit or plaza.example
	At      time.Time `json:"at,omitzero"`
}

// Community is a community. Its line comes before its posts. Without a line, only its name is known.
type Community struct {
	Type        string `json:"type"` // community
	Name        string `json:"name"`
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`
	Sidebar     string `json:"sidebar,omitempty"` // Markdown
	Rules       []Rule `json:"rules,omitempty"`
	Colour      string `json:"colour,omitempty"` // such as #00695c
	Icon        string `json:"icon,omitempty"`   // SHA-256 of a picture, in lower-case hex
	Banner      string `json:"banner,omitempty"` // as Icon
	// CommentPictures is who may add pictures to comments: trusted, nobody, or "" as on the whole site.
	CommentPictures string    `json:"comment_pictures,omitempty"`
	CreatedAt       time.Time `json:"created_at,omitzero"`
	Flairs          []Flair   `json:"flairs,omitempty"`
	// MemberFlairs are the flairs for members.
	MemberFlairs []Flair `json:"member_flairs,omitempty"`
	// Pages are its wiki pages.
	Pages []Page `json:"pages,omitempty"`
}

// Page is a page of a community.
type Page struct {
	Title string `json:"title"`
	Text  string `json:"text"`           // Markdown
	Slug  string `json:"slug,omitempty"` // of its address; none: made from the title
}

// Rule is a rule of a community.
type Rule struct {
	Title string `json:"title"`
	Text  string `json:"text,omitempty"`
}

// Flair is a label that posts or members of a community can have.
type Flair struct {
	Text       string `json:"text"`
	Colour     string `json:"colour,omitempty"`
	Restricted bool   `json:"restricted,omitempty"` // only moderators give it
}

// User is the author of posts or comments. Without a line, only the name is known.
type User struct {
	Type      string    `json:"type"` // user
	ID        string    `json:"id,omitempty"`
	Name      string    `json:"name"`
	Bio       string    `json:"bio,omitempty"` // Markdown
	CreatedAt time.Time `json:"created_at,omitzero"`
}

// Post is a post. It shows its image, or else its link; any post can have a text.
type Post struct {
	Type      string       `json:"type"` // post
	ID        string       `json:"id"`   // unique among posts and comments of the site
	Community string       `json:"community"`
	Slug      string       `json:"slug,omitempty"` // of its address
	Author    string       `json:"author,omitempty"`
	Title     string       `json:"title,omitempty"`
	Text      string       `json:"text,omitempty"` // Markdown
	Link      string       `json:"link,omitempty"`
	Image     string       `json:"image,omitempty"`
	TitleOnly bool         `json:"title_only,omitempty"` // it has no text, link or image, and needs none
	Flair     string       `json:"flair,omitempty"`      // text of one of the community's
	Tags      []string     `json:"tags,omitempty"`
	NSFW      bool         `json:"nsfw,omitempty"`
	Spoiler   bool         `json:"spoiler,omitempty"`
	Locked    bool         `json:"locked,omitempty"`
	Ups       int64        `json:"ups"`
	Downs     int64        `json:"downs"`
	CreatedAt time.Time    `json:"created_at"`
	EditedAt  time.Time    `json:"edited_at,omitzero"`
	PinnedAt  time.Time    `json:"pinned_at,omitzero"`
	Deleted   bool         `json:"deleted,omitempty"` // only its thread remains
	Pictures  []PictureRef `json:"pictures,omitempty"`

	AuthorFlair string `json:"author_flair,omitempty"` // text of the author's flair in the community
}

// Picture is a picture of a post, comment or community. Its bytes are in files beside the lines, with the names of PictureFile.
type Picture struct {
	Type   string `json:"type"`  // picture
	Sum    string `json:"sum"`   // SHA-256 of its bytes, in lower-case hexadecimal
	Media  string `json:"media"` // image/jpeg, image/png, image/gif or image/webp
	Width  int    `json:"width"` // as it is shown, in pixels
	Height int    `json:"height"`
	Bytes  int64  `json:"bytes"`
	Small  int64  `json:"small,omitempty"`  // bytes of its small version; 0 if there is none
	Colour string `json:"colour,omitempty"` // the dominant colour, such as #00695c
	Hash   string `json:"hash,omitempty"`   // difference hash of the small version, 16 hexadecimal digits
}

// PictureRef is a reference to a picture in its post or comment.
type PictureRef struct {
	Sum   string `json:"sum"`             // of a Picture
	Alt   string `json:"alt,omitempty"`   // its description, for screen readers
	Small bool   `json:"small,omitempty"` // listings show its small version, which the author of the post or comment has made
}

// PicturesFolder is the folder of pictures, beside the files of lines.
const PicturesFolder = "pictures"

// PictureFile returns the name of a picture's file in that folder, or of its small version's.
func PictureFile(sum string, small bool) string {
	if small {
		return sum + "-small"
	}
	return sum
}

// Comment is a reply to a post or another comment.
type Comment struct {
	Type      string       `json:"type"` // comment
	ID        string       `json:"id"`
	Post      string       `json:"post"`             // a Post's ID
	Parent    string       `json:"parent,omitempty"` // a Comment's ID; none: a reply to the post
	Author    string       `json:"author,omitempty"`
	Body      string       `json:"body,omitempty"` // Markdown
	Ups       int64        `json:"ups"`
	Downs     int64        `json:"downs"`
	CreatedAt time.Time    `json:"created_at"`
	EditedAt  time.Time    `json:"edited_at,omitzero"`
	Gone      string       `json:"gone,omitempty"` // deleted or removed: only its place in the thread remains
	Pictures  []PictureRef `json:"pictures,omitempty"`

	AuthorFlair string `json:"author_flair,omitempty"` // as a post's
}

var siteName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9.:-]{0,99}$`)

// IsSite reports whether a text can be a Header's Site.
func IsSite(s string) bool { return siteName.MatchString(s) }

// LineError is the error of an invalid line. The next line can be read.
type LineError struct{ Reason string }

func (b *LineError) Error() string { return b.Reason }

// LineErrorf makes a Bad.
func LineErrorf(format string, args ...any) *LineError {
	return &LineError{fmt.Sprintf(format, args...)}
}

// MaxLine is the longest valid line, in bytes. Reading stops at a line that is longer than MaxRead.
const (
	MaxLine = 4 << 20
	MaxRead = 256 << 20
)

// ErrEndless is about a line that is longer than MaxRead.
var ErrEndless = fmt.Errorf("a line does not end within %d MB", MaxRead>>20)

// ReadLine appends the next line to line, with its line feed. If the result is longer than maxLen bytes, it keeps maxLen+1. It returns
// io.EOF at the end of the file, and ErrEndless.
func ReadLine(in *bufio.Reader, line []byte, maxLen int) ([]byte, error) {
	for size := 0; ; {
		part, err := in.ReadSlice('\n')
		line = append(line, part[:min(len(part), maxLen+1-len(line))]...)
		switch size += len(part); {
		case size > MaxRead:
			return nil, ErrEndless
		case errors.Is(err, bufio.ErrBufferFull):
		case err != nil && (!errors.Is(err, io.EOF) || size == 0):
			return nil, err
		default:
			return line, nil
		}
	}
}

// Lines reads lines of JSON objects.
type Lines struct {
	in   *bufio.Reader
	line int
	buf  []byte
}

// NewLines reads lines from r.
func NewLines(r io.Reader) *Lines { return &Lines{in: bufio.NewReaderSize(r, 256<<10)} }

// Line returns the number of the last line; the first is 1.
func (l *Lines) Line() int { return l.line }

// Next returns the next line that is not empty; it is valid until the next call. The error is a *Bad for a line that is too long, io.EOF at
// the end, or an error of the reader.
func (l *Lines) Next() (text []byte, err error) {
	for len(text) == 0 {
		if l.buf, err = ReadLine(l.in, l.buf[:0], MaxLine); errors.Is(err, ErrEndless) {
			return nil, fmt.Errorf("line %d: %w", l.line+1, err)
		} else if err != nil {
			return nil, err
		}
		if l.line++; len(l.buf) > MaxLine {
			return nil, LineErrorf("the line is longer than %d bytes", MaxLine)
		}
		if text = bytes.TrimRight(l.buf, "\r\n "); l.line == 1 {
			text = bytes.TrimPrefix(text, []byte("\ufeff"))
		}
	}
	return text, nil
}

// kinds are the functions that decode lines, by type.
var kinds = map[string]func(line []byte) (item any, changed bool, err error){"export": into[Header], "community": into[Community],
	"user": into[User], "post": into[Post], "comment": into[Comment], "picture": into[Picture]}

// Decode parses one line: a Header, Community, User, Picture, Post or Comment, or a *Bad. changed reports whether a value was changed or
// left out, because it has another type than its field.
func Decode(line []byte) (item any, changed bool, err error) {
	var kind struct {
		Type string `json:"type"`
	}
	if _, err := unmarshal(line, &kind); err != nil {
		return nil, false, LineErrorf("not a JSON object: %v", err)
	}
	if decode, known := kinds[kind.Type]; known {
		return decode(line)
	}
	return nil, false, LineErrorf("the type %.40q is not known", kind.Type)
}

func into[T any](line []byte) (any, bool, error) {
	var v T
	changed, err := unmarshal(line, &v)
	if err != nil {
		return nil, false, LineErrorf("%v", err)
	}
	return v, changed, nil
}

// Writer writes lines.
type Writer struct {
	out *json.Encoder
	n   int
}

// NewWriter writes the first line of a file, and returns a Writer for the others.
func NewWriter(w io.Writer, site string, at time.Time) (*Writer, error) {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return &Writer{out: e}, e.Encode(Header{Type: "export", Version: Version, Site: site, At: at.UTC()})
}

// Write writes a Community, User, Picture, Post or Comment. The type of the line is the name of the Go type.
func (w *Writer) Write(item any) error {
	line := reflect.New(reflect.TypeOf(item)).Elem()
	line.Set(reflect.ValueOf(item))
	line.FieldByName("Type").SetString(strings.ToLower(line.Type().Name()))
	w.n++
	return w.out.Encode(line.Interface())
}

// Written returns how many lines were written after the first.
func (w *Writer) Written() int { return w.n }
