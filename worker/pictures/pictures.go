// Package pictures is what the site sees of uploaded pictures and of the bucket that keeps them. No bytes of a picture come here: the
// edge's shim reads a form's files, takes the metadata out and describes them; the site decides; the shim puts them into the bucket
// (worker/edge/shim/form.mjs and bucket.mjs). What the site does with pictures is not here.
package pictures

import (
	"context"
	"encoding/json"
	"net/http"
	"time"
)

// Header is the header with the shim's description of a request's pictures, in JSON. The shim drops it from what clients send.
const Header = "X-Plaza-Pictures"

// What may be wrong with a received picture.
const (
	Empty  = "empty"  // no bytes
	Kind   = "kind"   // by its bytes no JPEG, PNG, GIF or WebP
	Broken = "broken" // cut short, or its structure is wrong
	Large  = "large"  // more than 4 MB
	Pixels = "pixels" // a side over 16,384 pixels, or over 40 million pixels of all frames
)

// Received is a file of the request's form.
type Received struct {
	Index  int    `json:"index"` // in the request, for Keep
	Field  string `json:"field"` // of the form
	Name   string `json:"name"`  // of the file, as the sender calls it
	Type   string `json:"type"`  // such as image/jpeg, by its bytes
	Width  int    `json:"width"` // as shown, in pixels
	Height int    `json:"height"`
	Frames int    `json:"frames"`
	Bytes  int64  `json:"bytes"` // without its metadata; with Problem Large, as sent
	Sum    string `json:"sum"`   // SHA-256 of these bytes, in lower-case hex
	Small  bool   `json:"small"` // a small version came with it
	// Problem is one of the constants above; "" is a picture that can be kept. With a problem, Type, Sum and the sizes may be missing.
	Problem string `json:"problem"`
}

// Of returns the pictures that came with a request, in the order of its form.
func Of(r *http.Request) []Received {
	var list []Received
	if json.Unmarshal([]byte(r.Header.Get(Header)), &list) != nil {
		return nil
	}
	return list
}

// Attach makes pictures part of a request, as the shim does.
func Attach(r *http.Request, list ...Received) {
	header, _ := json.Marshal(list)
	r.Header.Set(Header, string(header))
}

// Object is a picture in the bucket.
type Object struct {
	Sum   string
	Bytes int64
	Kept  time.Time // when it was kept last
}

// Bucket keeps pictures. Each is known by its sum and has its small version with it.
type Bucket interface {
	// Bound reports whether there is a bucket. Without one, nothing else may be called.
	Bound() bool
	// Keep keeps a picture of the request whose context this is. When it returns nil, the picture is durable. Keeping again what is
	// there only renews its time.
	Keep(ctx context.Context, r Received) error
	// Drop deletes pictures with their small versions. It is no error when they are not there.
	Drop(ctx context.Context, sums ...string) error
	// List returns pictures in the order of their sums, behind the sum after, and so many at most.
	List(ctx context.Context, after string, most int) ([]Object, error)
}

// MaxList is how many objects List returns and how many sums Drop takes at once, by the platform's limit.
const MaxList = 500

// URL is the address of a picture.
func URL(sum string) string { return "/picture/" + sum }

// SmallElsewhere is the folder of pictures of other servers as listings show them, by the id of the post.
const SmallElsewhere = "/img/small/"

// SmallURL is the address of the small version, which the browser of the first uploader has made. It shows the picture if there is none.
func SmallURL(sum string) string { return "/picture/" + sum + "/small" }
