package view

import (
	"cmp"
	"encoding/hex"
	"errors"
	"regexp"
	"strconv"
	"strings"

	"plaza/data"
	stored "plaza/data/content/pictures"
	"plaza/locale"
	"plaza/render/ui"
	"plaza/worker/pictures"
	"plaza/worker/request"
)

// problems are what is said of a file that can't be kept. It is called by its name.
var problems = map[string]locale.Text{
	pictures.Empty:  "{} is empty.",
	pictures.Kind:   "{} is no JPEG, PNG, GIF or WebP picture.",
	pictures.Broken: "{} is damaged: it can't be read as a picture.",
	pictures.Large:  "{} is larger than 4 MB.",
	pictures.Pixels: "{} has too many pixels: a side has at most 16,384, and a picture 40 million.",
}

var errNoBucket = &data.Error{Code: data.Forbidden, Field: "pictures",
	Message: "Pictures can't be uploaded here. A post can show a picture from another site."}

// KeepPicture keeps a picture that came with a request. small is whether its small version was kept as well. Invalid if it is none,
// Unavailable, and errors of pictures.Store.Reserve.
func (v *Views) KeepPicture(c *request.Call, got pictures.Received, colour string, hash *int64) (small bool, err error) {
	if says, wrong := problems[got.Problem]; wrong {
		return false, &data.Error{Code: data.Invalid, Field: "pictures", Message: locale.With(says, cmp.Or(got.Name, "?"))}
	}
	if !v.Bucket.Bound() {
		return false, errNoBucket
	}
	u := stored.Upload{Sum: got.Sum, Type: got.Type, Width: got.Width, Height: got.Height, Bytes: got.Bytes, Small: got.Small,
		Colour: colour, Hash: hash, Community: cmp.Or(c.R.PathValue("community"), c.Value("community"))}
	own, err := v.Uploads.Reserve(c.R.Context(), *c.Actor, u)
	if err != nil {
		return false, err
	}
	got.Small = got.Small && own
	if err := v.Bucket.Keep(c.R.Context(), got); err != nil {
		return false, data.UnavailableBecause(err)
	}
	return got.Small, v.Uploads.MarkStored(c.R.Context(), *c.Actor, u)
}

// errLarge is shown if no script has made the picture smaller.
var errLarge = locale.With("A picture here has at most {} KB, unless a script of the page can make it smaller.", stored.LightMax>>10)

// PictureOfField reads the fields of a ui.PictureInput: NAME, NAME-file and NAME-drop. It keeps an uploaded file, and returns the sum of
// the picture to store: "" if NAME-drop is ticked, had if the form has none of the fields. It also sets the field NAME to that sum, so that
// a form that is shown again has it. tile is set for a picture that pages show many times as a tile: it must be light. The error is about
// the field NAME.
func (v *Views) PictureOfField(c *request.Call, name, had string, tile bool) (string, error) {
	sum := had
	if c.Names(name) {
		sum = c.Value(name)
	}
	if c.Flag(name + "-drop") {
		sum = ""
	}
	var failed error
	for _, got := range pictures.Of(c.R) {
		switch {
		case got.Field != name+"-file":
		case got.Problem == "" && got.Bytes > stored.LightMax:
			failed = data.Mistake(name, errLarge)
		default:
			if _, failed = v.KeepPicture(c, got, "", nil); failed == nil {
				sum = got.Sum
			}
		}
	}
	if failed == nil && sum != "" {
		failed = v.claimOne(c, sum, had, tile)
	}
	c.Form.Set(name, sum)
	c.Form.Del(name + "-drop")
	return sum, About(failed, name)
}

// claimOne calls pictures.Store.Claim for one picture. The one that was there before needs no right, but may be blocked by now.
func (v *Views) claimOne(c *request.Call, sum, had string, tile bool) error {
	chosen, err := stored.Check([]stored.Chosen{{Sum: sum}})
	if err != nil {
		return err
	}
	var own []stored.Picture
	if sum == had {
		own = []stored.Picture{{Sum: had}}
	}
	claimed, err := v.Uploads.Claim(c.R.Context(), *c.Actor, c.R.PathValue("community"), chosen, own)
	if err == nil && tile && sum != had && !claimed.Pictures[0].Light {
		err = data.Mistake("pictures", errLarge)
	}
	return err
}

// About turns an error about pictures into one about another field of a form. It returns other errors as they are.
func About(err error, field string) error {
	var e *data.Error
	if !errors.As(err, &e) || e.Field != "pictures" {
		return err
	}
	named := *e
	named.Field = field
	return &named
}

// OneField is the part of a form that takes one picture; nil if the site has no bucket. may is nil if it was not read.
func (v *Views) OneField(may *stored.Allowed) *ui.OnePicture {
	switch {
	case !v.Bucket.Bound():
		return nil
	case may != nil && may.Err() != nil:
		return &ui.OnePicture{Refused: request.MessageOf(may.Err())}
	}
	return &ui.OnePicture{}
}

// Names of the fields of a form with pictures: sum and description of each, and the box that takes it out. The file field is
// "pictures", and "pictured" says that the form has them, even if it names none.
func pictureField(n int) string { return "picture-" + strconv.Itoa(n) }
func altField(n int) string     { return "alt-" + strconv.Itoa(n) }
func dropField(n int) string    { return "drop-" + strconv.Itoa(n) }

// PictureFields are the fields that a form with pictures shows again.
var PictureFields = func() (names []string) {
	for n := 1; n <= stored.Most; n++ {
		names = append(names, pictureField(n), altField(n))
	}
	return names
}()

// NamesPictures reports whether a form says which pictures a post has.
func NamesPictures(c *request.Call) bool {
	return c.Names("pictured") || c.Names(PictureFields...) || tooMany(c)
}

// tooMany reports whether a form names more pictures than a post can have.
func tooMany(c *request.Call) bool {
	for name := range c.Form {
		after, named := strings.CutPrefix(name, "picture-")
		if n, err := strconv.Atoi(after); named && err == nil && n > stored.Most && c.Value(name) != "" {
			return true
		}
	}
	return false
}

// PicturesOfForm keeps the pictures that came with a form, and returns all that it names, in their order. Then fields of the form name
// them, so that they are there when it is shown again. The error is about the first that could not be kept; the others are kept.
func (v *Views) PicturesOfForm(c *request.Call) (list []stored.Chosen, err error) {
	return v.picturesOfForm(c, stored.Most, stored.ErrMany)
}

// PicturesOfComment is PicturesOfForm for the form of a comment.
func (v *Views) PicturesOfComment(c *request.Call) ([]stored.Chosen, error) {
	return v.picturesOfForm(c, stored.MostOfComment, stored.ErrManyOfComment)
}

func (v *Views) picturesOfForm(c *request.Call, most int, many error) (list []stored.Chosen, err error) {
	for n := 1; n <= stored.Most; n++ {
		if sum := c.Value(pictureField(n)); sum != "" && !c.Flag(dropField(n)) {
			list = append(list, stored.Chosen{Sum: sum, Alt: c.Value(altField(n))})
		}
	}
	if tooMany(c) {
		err = many
	}
	for _, got := range pictures.Of(c.R) {
		if got.Field != "pictures" {
			continue
		}
		failed := many
		if len(list) < most {
			_, failed = v.KeepPicture(c, got, "", nil)
		}
		if failed == nil {
			list = append(list, stored.Chosen{Sum: got.Sum})
		} else if err == nil {
			err = failed
		}
	}
	FillPictures(c, list)
	return list, err
}

// CommentField is how the form of a comment takes pictures; nil if it takes none. may is nil if it was not read: then the form has a button
// that asks. key makes the form's ids different from other forms'.
func (v *Views) CommentField(c *request.Call, may *stored.Allowed, key string) *ui.PictureField {
	if !v.Bucket.Bound() || c.Actor == nil || may != nil && may.Nobody() {
		return nil
	}
	f := &ui.PictureField{Most: stored.MostOfComment, Key: key, Button: may == nil}
	if may != nil && may.Err() != nil && data.ErrorCode(may.Err()) == data.Forbidden {
		f.Refused = request.MessageOf(may.Err())
	}
	return f
}

// FillPictures writes the fields of pictures into a form.
func FillPictures(c *request.Call, list []stored.Chosen) {
	for n := 1; n <= stored.Most; n++ {
		c.Form.Del(pictureField(n))
		c.Form.Del(altField(n))
		c.Form.Del(dropField(n))
		if n <= len(list) {
			c.Form.Set(pictureField(n), list[n-1].Sum)
			c.Form.Set(altField(n), list[n-1].Alt)
		}
	}
}

// PictureValues adds the fields of stored pictures to the values of a form.
func PictureValues(values map[string]string, list []stored.Picture) {
	for i, p := range list {
		values[pictureField(i+1)], values[altField(i+1)] = p.Sum, p.Alt
	}
}

var isColour = regexp.MustCompile(`^#[0-9a-f]{6}$`)

// ColourOf is a colour as a browser sends it; "" for anything else.
func ColourOf(s string) string {
	if isColour.MatchString(s) {
		return s
	}
	return ""
}

// HashOf parses a difference hash of 16 hexadecimal digits. It returns nil for anything else, and for the hash of a picture of one colour,
// which tells nothing.
func HashOf(s string) *int64 {
	b, err := hex.DecodeString(s)
	if err != nil || len(b) != 8 {
		return nil
	}
	n := int64(0)
	for _, digit := range b {
		n = n<<8 | int64(digit)
	}
	if n == 0 || n == -1 { // all bits are equal, as for a picture of one colour
		return nil
	}
	return &n
}
