// Package pictures describes uploaded pictures, and the bucket that stores them, to the site. The bytes of a picture never get here: the
// edge's shim reads a form's files, removes their metadata and describes them; the site decides; the shim puts them into the bucket
// (worker/edge/shim/form.mjs and bucket.mjs). Package data/content/pictures has the rows of pictures.
package pictures

import (
	"context"
	"encoding/json"
	"net/http"
	"time"
)

// Header is the header with the shim's description of a request's pictures, in JSON. The shim removes it from clients' requests.
const Header = "X-Plaza-Pictures"

// What may be wrong with a received picture.
const (
	Empty  = "empty"  // no bytes
	Kind   = "kind"   // its bytes are no JPEG, PNG, GIF or WebP
	Broken = "broken" // cut short, or its structure is wrong
	Large  = "large"  // more than 4 MB
	Pixels = "pixels" // a side over 16,384 pixels, or over 40 million pixels of all frames
)

// Received is a file of the request's form.
type Received struct {
	Index  int    `json:"index"` // in the request, for Keep
	Field  string `json:"field"` // of the form
	Name   string `json:"name"`  // of the file, from the sender
	Type   string `json:"type"`  // such as image/jpeg, by its bytes
	Width  int    `json:"width"` // as shown, in pixels
	Height int    `json:"height"`
	Frames int    `json:"frames"`
	Bytes  int64  `json:"bytes"` // without its metadata; with Problem Large, as sent
	Sum    string `json:"sum"`   // SHA-256 of these bytes, in lower-case hex
	Small  bool   `json:"small"` // a small version was sent with it
	// Problem is one of the constants above; "" for a picture that can be stored. With a problem, Type, Sum and the sizes may be missing.
	Problem string `json:"problem"`
}

// FromRequest returns the pictures of a request, in the order of its form.
func FromRequest(r *http.Request) []Received {
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
	Kept  time.Time // when it was last stored
}

// Bucket stores pictures by their sums, each with its small version.
type Bucket interface {
	// Bound reports whether there is a bucket. Without one, nothing else may be called.
	Bound() bool
	// Keep stores a picture of the context's request. After it has returned nil, the picture is durable. For a picture that is
	// there already, it only renews the time.
	Keep(ctx context.Context, r Received) error
	// Drop deletes pictures with their small versions. It is no error if they are not there.
	Drop(ctx context.Context, sums ...string) error
	// List returns at most limit pictures whose sums come after a sum, in the order of their sums.
	List(ctx context.Context, after string, limit int) ([]Object, error)
}

// MaxList is the platform's limit of objects that List returns and of sums that Drop accepts.
const MaxList = 500

// URL is the address of a picture.
func URL(sum string) string { return "/picture/" + sum }

// SmallElsewhere is the beginning of the address of another server's picture as listings show it. The id of the post follows.
const SmallElsewhere = "/img/small/"

// SmallURL is the address of the small version, which the browser of the first uploader has made. If there is none, the picture is served.
func SmallURL(sum string) string { return "/picture/" + sum + "/small" }
