// Package exchange is the neutral format in which communities leave a Plaza site and come to one: lines of JSON, each an
// object whose type says what it is (docs/exchange.md). It writes and reads the lines, and turns the dumps of other sites
// into them. It knows no database; `plaza export` and package importer do.
package exchange

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"time"
)

// Version is that of the format, in the first line of a file.
const Version = 1

// Header is the first line of a file.
type Header struct {
	Type    string    `json:"type"` // export
	Version int       `json:"version"`
	Site    string    `json:"site"` // where the ids and names of the file come from, such as reddit or plaza.example
	At      time.Time `json:"at,omitzero"`
}

// Community is a community. Its line comes before those of its posts, or is missing: then its name is all that is known.
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
	// CommentPictures is who adds pictures to comments: trusted, nobody, or "" as on the whole site.
	CommentPictures string    `json:"comment_pictures,omitempty"`
	CreatedAt       time.Time `json:"created_at,omitzero"`
	Flairs          []Flair   `json:"flairs,omitempty"`
	// MemberFlairs are those that members can have.
	MemberFlairs []Flair `json:"member_flairs,omitempty"`
	// Pages are those that its moderators have written.
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

// User is who wrote posts or comments. Without a line, the name is all that is known.
type User struct {
	Type      string    `json:"type"` // user
	ID        string    `json:"id,omitempty"`
	Name      string    `json:"name"`
	Bio       string    `json:"bio,omitempty"` // Markdown
	CreatedAt time.Time `json:"created_at,omitzero"`
}

// Post is a post. One with an image shows it, else one with a link leads there; any can have a text.
type Post struct {
	Type      string    `json:"type"` // post
	ID        string    `json:"id"`   // no other post or comment of the site has it
	Community string    `json:"community"`
	Slug      string    `json:"slug,omitempty"` // of its address
	Author    string    `json:"author,omitempty"`
	Title     string    `json:"title,omitempty"`
	Text      string    `json:"text,omitempty"` // Markdown
	Link      string    `json:"link,omitempty"`
	Image     string    `json:"image,omitempty"`
	TitleOnly bool      `json:"title_only,omitempty"` // it has neither text nor link nor image, and needs none
	Flair     string    `json:"flair,omitempty"`      // text of one of the community's
	Tags      []string  `json:"tags,omitempty"`
	NSFW      bool      `json:"nsfw,omitempty"`
	Spoiler   bool      `json:"spoiler,omitempty"`
	Locked    bool      `json:"locked,omitempty"`
	Ups       int64     `json:"ups"`
	Downs     int64     `json:"downs"`
	CreatedAt time.Time `json:"created_at"`
	EditedAt  time.Time `json:"edited_at,omitzero"`
	PinnedAt  time.Time `json:"pinned_at,omitzero"`
	Deleted   bool      `json:"deleted,omitempty"` // only its thread is left
	Pictures  []Shown   `json:"pictures,omitempty"`

	AuthorFlair string `json:"author_flair,omitempty"` // text of the author's flair in the community
}

// Picture is a picture that something shows. Its bytes are in files beside the lines, of the names that PictureFile gives.
type Picture struct {
	Type   string `json:"type"`  // picture
	Sum    string `json:"sum"`   // SHA-256 of its bytes, in lower-case hexadecimal
	Media  string `json:"media"` // image/jpeg, image/png, image/gif or image/webp
	Width  int    `json:"width"` // as it is shown, in pixels
	Height int    `json:"height"`
	Bytes  int64  `json:"bytes"`
	Small  int64  `json:"small,omitempty"`  // bytes of its small version; 0 if there is none
	Colour string `json:"colour,omitempty"` // the one that dominates, such as #00695c
	Hash   string `json:"hash,omitempty"`   // difference hash of the small version, 16 hexadecimal digits
}

// Shown is a reference to a picture in the post or comment that shows it.
type Shown struct {
	Sum   string `json:"sum"`             // of a Picture
	Alt   string `json:"alt,omitempty"`   // what it shows, for those who don't see it
	Small bool   `json:"small,omitempty"` // listings show its small version, which the author of the post or comment has made
}

// PicturesFolder is where pictures lie, beside the files of lines.
const PicturesFolder = "pictures"

// PictureFile is the name of a picture's file in that folder, or of that of its small version.
func PictureFile(sum string, small bool) string {
	if small {
		return sum + "-small"
	}
	return sum
}

// Comment answers a post or another comment.
type Comment struct {
	Type      string    `json:"type"` // comment
	ID        string    `json:"id"`
	Post      string    `json:"post"`             // a Post's ID
	Parent    string    `json:"parent,omitempty"` // a Comment's ID; none: it answers the post
	Author    string    `json:"author,omitempty"`
	Body      string    `json:"body,omitempty"` // Markdown
	Ups       int64     `json:"ups"`
	Downs     int64     `json:"downs"`
	CreatedAt time.Time `json:"created_at"`
	EditedAt  time.Time `json:"edited_at,omitzero"`
	Gone      string    `json:"gone,omitempty"` // deleted or removed: only its place in the thread is left
	Pictures  []Shown   `json:"pictures,omitempty"`

	AuthorFlair string `json:"author_flair,omitempty"` // as a post's
}

var siteName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9.:-]{0,99}$`)

// IsSite tells whether a text can be a Header's Site.
func IsSite(s string) bool { return siteName.MatchString(s) }

// Bad is the error of a line that can't be read. The next can.
type Bad struct{ Reason string }

func (b *Bad) Error() string { return b.Reason }

// Badf makes a Bad.
func Badf(format string, args ...any) *Bad { return &Bad{fmt.Sprintf(format, args...)} }

// MaxLine is how long a line may be, in bytes. Reading ends at one that is longer than EndlessLine.
const (
	MaxLine     = 4 << 20
	EndlessLine = 256 << 20
)

// ErrEndless is about a line that is longer than EndlessLine.
var ErrEndless = fmt.Errorf("a line does not end within %d MB", EndlessLine>>20)

// Lines reads lines of JSON objects.
type Lines struct {
	in   *bufio.Reader
	line int
	buf  []byte
}

// NewLines reads lines from r.
func NewLines(r io.Reader) *Lines { return &Lines{in: bufio.NewReaderSize(r, 256<<10)} }

// Line is the number of the line that was read last; the first is 1.
func (l *Lines) Line() int { return l.line }

// Next returns the next line that is not empty, valid until it is called again; a *Bad for one that is too long; io.EOF at the
// end; or what kept it from reading.
func (l *Lines) Next() ([]byte, error) {
	for {
		l.buf = l.buf[:0]
		tooLong, size := false, 0
		for {
			part, err := l.in.ReadSlice('\n')
			if size += len(part); size > EndlessLine {
				return nil, fmt.Errorf("line %d: %w", l.line+1, ErrEndless)
			}
			if tooLong = size > MaxLine; !tooLong {
				l.buf = append(l.buf, part...)
			}
			if errors.Is(err, bufio.ErrBufferFull) {
				continue
			}
			if err != nil && (!errors.Is(err, io.EOF) || size == 0) {
				return nil, err
			}
			break
		}
		if l.line++; l.line == 1 {
			l.buf = bytes.TrimPrefix(l.buf, []byte("\ufeff"))
		}
		switch text := trim(l.buf); {
		case tooLong:
			return nil, Badf("the line is longer than %d bytes", MaxLine)
		case len(text) > 0:
			return text, nil
		}
	}
}

func trim(b []byte) []byte {
	for len(b) > 0 && (b[len(b)-1] == '\n' || b[len(b)-1] == '\r' || b[len(b)-1] == ' ') {
		b = b[:len(b)-1]
	}
	return b
}

// Decode reads one line: a Header, Community, User, Picture, Post or Comment, or a *Bad. changed tells whether a value of it was changed or
// left out, because it is of another type than its field.
func Decode(line []byte) (item any, changed bool, err error) {
	var kind struct {
		Type string `json:"type"`
	}
	if _, err := unmarshal(line, &kind); err != nil {
		return nil, false, Badf("not a JSON object: %v", err)
	}
	switch kind.Type {
	case "export":
		return into[Header](line)
	case "community":
		return into[Community](line)
	case "user":
		return into[User](line)
	case "post":
		return into[Post](line)
	case "comment":
		return into[Comment](line)
	case "picture":
		return into[Picture](line)
	}
	return nil, false, Badf("the type %.40q is not known", kind.Type)
}

func into[T any](line []byte) (any, bool, error) {
	var v T
	changed, err := unmarshal(line, &v)
	if err != nil {
		return nil, false, Badf("%v", err)
	}
	return v, changed, nil
}

// Writer writes lines.
type Writer struct {
	out *json.Encoder
	n   int
}

// NewWriter writes a file's first line.
func NewWriter(w io.Writer, site string, at time.Time) (*Writer, error) {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return &Writer{out: e}, e.Encode(Header{Type: "export", Version: Version, Site: site, At: at.UTC()})
}

// Write writes a Community, User, Picture, Post or Comment.
func (w *Writer) Write(item any) error {
	switch v := item.(type) {
	case Community:
		v.Type = "community"
		item = v
	case User:
		v.Type = "user"
		item = v
	case Post:
		v.Type = "post"
		item = v
	case Comment:
		v.Type = "comment"
		item = v
	case Picture:
		v.Type = "picture"
		item = v
	default:
		return fmt.Errorf("exchange: %T is no line", item)
	}
	w.n++
	return w.out.Encode(item)
}

// Written is how many lines were written after the first.
func (w *Writer) Written() int { return w.n }
