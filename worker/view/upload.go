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

// problems are the messages about a file that can't be stored, with its name.
var problems = map[string]locale.Text{
	pictures.Empty:  "{} is empty.",
	pictures.Kind:   "{} is no JPEG, PNG, GIF or WebP picture.",
	pictures.Broken: "{} is damaged: it can't be read as a picture.",
	pictures.Large:  "{} is larger than 4 MB.",
	pictures.Pixels: "{} has too many pixels: a side has at most 16,384, and a picture 40 million.",
}

var errNoBucket = &data.Error{Code: data.Forbidden, Field: "pictures",
	Message: "Pictures can't be uploaded here. A post can show a picture from another site."}

// StorePicture stores a picture of a request. small reports whether its small version was stored as well. It returns Invalid if it is no
// picture, Unavailable, and errors of pictures.Store.Reserve.
func (v *Views) StorePicture(c *request.Call, got pictures.Received, colour string, hash *int64) (small bool, err error) {
	if message, wrong := problems[got.Problem]; wrong {
		return false, &data.Error{Code: data.Invalid, Field: "pictures", Message: locale.With(message, cmp.Or(got.Name, "?"))}
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

// PictureOfField reads the fields of a ui.PictureInput: NAME, NAME-file and NAME-drop. It stores an uploaded file, and returns the sum of
// the picture to use: "" if NAME-drop is ticked, current if the form has none of the fields. It also sets the field NAME to that sum, so
// that a form that is shown again has it. tile is set for a picture that pages show many times as a tile: it must be light. The error is
// about the field NAME.
func (v *Views) PictureOfField(c *request.Call, name, current string, tile bool) (string, error) {
	sum := current
	if c.HasAny(name) {
		sum = c.Value(name)
	}
	if c.Flag(name + "-drop") {
		sum = ""
	}
	var failed error
	for _, got := range pictures.FromRequest(c.R) {
		switch {
		case got.Field != name+"-file":
		case got.Problem == "" && got.Bytes > stored.LightMax:
			failed = data.Mistake(name, errLarge)
		default:
			if _, failed = v.StorePicture(c, got, "", nil); failed == nil {
				sum = got.Sum
			}
		}
	}
	if failed == nil && sum != "" {
		failed = v.claimOne(c, sum, current, tile)
	}
	c.Form.Set(name, sum)
	c.Form.Del(name + "-drop")
	return sum, ForField(failed, name)
}

// claimOne calls pictures.Store.Claim for one picture. The current one needs no right, but may be blocked by now.
func (v *Views) claimOne(c *request.Call, sum, current string, tile bool) error {
	chosen, err := stored.Check([]stored.Chosen{{Sum: sum}})
	if err != nil {
		return err
	}
	var own []stored.Picture
	if sum == current {
		own = []stored.Picture{{Sum: current}}
	}
	claimed, err := v.Uploads.Claim(c.R.Context(), *c.Actor, c.R.PathValue("community"), chosen, own)
	if err == nil && tile && sum != current && !claimed.Pictures[0].Light {
		err = data.Mistake("pictures", errLarge)
	}
	return err
}

// ForField turns an error about pictures into one about another field of a form. It returns other errors as they are.
func ForField(err error, field string) error {
	var e *data.Error
	if !errors.As(err, &e) || e.Field != "pictures" {
		return err
	}
	named := *e
	named.Field = field
	return &named
}

// OneField makes the part of a form for one picture; nil if the site has no bucket. may is nil if it was not read.
func (v *Views) OneField(may *stored.Allowed) *ui.OnePicture {
	switch {
	case !v.Bucket.Bound():
		return nil
	case may != nil && may.Err() != nil:
		return &ui.OnePicture{Refused: request.MessageOf(may.Err())}
	}
	return &ui.OnePicture{}
}

// Names of the fields of a form with pictures: sum and description of each, and the checkbox that removes it. The file field is
// "pictures", and "pictured" says that the form has these fields, even if it names no picture.
func pictureField(n int) string { return "picture-" + strconv.Itoa(n) }
func altField(n int) string     { return "alt-" + strconv.Itoa(n) }
func dropField(n int) string    { return "drop-" + strconv.Itoa(n) }

// PictureFields are the fields that a form with pictures shows again.
var PictureFields = func() (names []string) {
	for n := 1; n <= stored.MaxOfPost; n++ {
		names = append(names, pictureField(n), altField(n))
	}
	return names
}()

// NamesPictures reports whether a form says which pictures a post has.
func NamesPictures(c *request.Call) bool {
	return c.HasAny("pictured") || c.HasAny(PictureFields...) || tooMany(c)
}

// tooMany reports whether a form names more pictures than a post can have.
func tooMany(c *request.Call) bool {
	for name := range c.Form {
		after, named := strings.CutPrefix(name, "picture-")
		if n, err := strconv.Atoi(after); named && err == nil && n > stored.MaxOfPost && c.Value(name) != "" {
			return true
		}
	}
	return false
}

// PicturesOfForm stores the pictures that were uploaded with a form, and returns all pictures of the form, in their order. It also sets the
// fields of the form to them, so that it has them when it is shown again. The error is about the first that could not be stored.
func (v *Views) PicturesOfForm(c *request.Call) (list []stored.Chosen, err error) {
	return v.picturesOfForm(c, stored.MaxOfPost, stored.ErrMany)
}

// PicturesOfComment is PicturesOfForm for the form of a comment.
func (v *Views) PicturesOfComment(c *request.Call) ([]stored.Chosen, error) {
	return v.picturesOfForm(c, stored.MaxOfComment, stored.ErrManyOfComment)
}

func (v *Views) picturesOfForm(c *request.Call, maxPictures int, errMany error) (list []stored.Chosen, err error) {
	for n := 1; n <= stored.MaxOfPost; n++ {
		if sum := c.Value(pictureField(n)); sum != "" && !c.Flag(dropField(n)) {
			list = append(list, stored.Chosen{Sum: sum, Alt: c.Value(altField(n))})
		}
	}
	if tooMany(c) {
		err = errMany
	}
	for _, got := range pictures.FromRequest(c.R) {
		if got.Field != "pictures" {
			continue
		}
		failed := errMany
		if len(list) < maxPictures {
			_, failed = v.StorePicture(c, got, "", nil)
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

// CommentField makes the part of a comment's form for pictures; nil if it has none. may is nil if it was not read: then the form has a
// button that requests it. key makes the form's ids different from other forms'.
func (v *Views) CommentField(c *request.Call, may *stored.Allowed, key string) *ui.PictureField {
	if !v.Bucket.Bound() || c.Actor == nil || may != nil && may.Nobody() {
		return nil
	}
	f := &ui.PictureField{Most: stored.MaxOfComment, Key: key, Button: may == nil}
	if may != nil && may.Err() != nil && data.ErrorCode(may.Err()) == data.Forbidden {
		f.Refused = request.MessageOf(may.Err())
	}
	return f
}

// FillPictures writes the fields of pictures into a form.
func FillPictures(c *request.Call, list []stored.Chosen) {
	for n := 1; n <= stored.MaxOfPost; n++ {
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

// ColourOf returns s if it is a colour as browsers send it; "" for anything else.
func ColourOf(s string) string {
	if isColour.MatchString(s) {
		return s
	}
	return ""
}

// HashOf parses a difference hash of 16 hexadecimal digits. It returns nil for anything else, and for the hash of a picture of one colour,
// which fits too many pictures.
func HashOf(s string) *int64 {
	b, err := hex.DecodeString(s)
	if err != nil || len(b) != 8 {
		return nil
	}
	n := int64(0)
	for _, octet := range b {
		n = n<<8 | int64(octet)
	}
	if n == 0 || n == -1 { // all bits are equal, as for a picture of one colour
		return nil
	}
	return &n
}
