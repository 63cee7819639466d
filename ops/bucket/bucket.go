// Package bucket accesses the bucket of pictures from outside the platform, where there is no binding. Its requests go through the site,
// with the secret PICTURES_TOKEN (worker/edge/shim/tools.mjs). `plaza verify`, `backup`, `restore`, `export` and `import` use it.
package bucket

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"plaza/data/pace/deadline"
)

// Object is a picture in the bucket, with its small version.
type Object struct {
	Sum       string
	Type      string // such as image/webp; "" if there is only a small version
	Bytes     int64
	Kept      time.Time // when it was stored
	Small     int64     // bytes of the small version; 0: there is none
	SmallType string
	SmallKept time.Time
}

// ErrMissing is returned if the bucket has no such object, and ErrRefused if the site does not accept a picture.
var (
	ErrMissing = errors.New("there is no such picture in the bucket")
	ErrRefused = errors.New("the site refuses the picture")
)

// MaxBytes is the size of the largest picture, in bytes. The site refuses larger ones.
const MaxBytes = 4 << 20

// requestTimeout is the time limit of a request. maxTries is how often a request is sent until there is a response; all requests are
// idempotent.
const (
	requestTimeout = time.Minute
	maxTries       = 4
)

// Client is a client of one site's bucket.
type Client struct {
	site, token string
	http        *http.Client
	pause       time.Duration // before the second attempt; it doubles
}

// New returns a client of the site at an address such as https://plaza.example.
func New(site, token string) *Client {
	return &Client{site: strings.TrimRight(site, "/"), token: token, http: &http.Client{Timeout: requestTimeout}, pause: time.Second}
}

// List returns a page of the pictures whose sums are greater than after, in the order of their sums. It returns none at the end.
func (c *Client) List(ctx context.Context, after string) ([]Object, error) {
	return c.list(ctx, after, 500)
}

// Find returns one picture, or the zero Object if the bucket does not have it.
func (c *Client) Find(ctx context.Context, sum string) (o Object, err error) {
	list, err := c.list(ctx, sum[:len(sum)-1], 1) // no other sum is between the sum and this prefix of it
	if err == nil && len(list) > 0 && list[0].Sum == sum {
		o = list[0]
	}
	return o, err
}

func (c *Client) list(ctx context.Context, after string, limit int) ([]Object, error) {
	body, _, err := c.ask(ctx, http.MethodGet, fmt.Sprintf("?most=%d&after=%s", limit, url.QueryEscape(after)), nil)
	if err != nil {
		return nil, err
	}
	var responseBody struct {
		Pictures []struct {
			Sum, Type, SmallType          string
			Bytes, Kept, Small, SmallKept int64
		}
	}
	if err := json.Unmarshal(body, &responseBody); err != nil {
		return nil, fmt.Errorf("%s lists no pictures: %w", c.site, err)
	}
	list := make([]Object, len(responseBody.Pictures))
	for i, p := range responseBody.Pictures {
		list[i] = Object{p.Sum, p.Type, p.Bytes, time.UnixMilli(p.Kept), p.Small, p.SmallType, time.UnixMilli(p.SmallKept)}
		if p.Sum <= after || !IsSum(p.Sum) {
			return nil, fmt.Errorf("%s lists %.80q behind %.80q", c.site, p.Sum, after)
		}
		after = p.Sum
	}
	return list, nil
}

// Read returns a picture, or its small version, and its type. ErrMissing.
func (c *Client) Read(ctx context.Context, sum string, small bool) ([]byte, string, error) {
	return c.ask(ctx, http.MethodGet, path(sum, small), nil)
}

// Write stores a picture or its small version in the bucket, unless it is there already. ErrRefused if the bytes are no picture or have
// another sum.
func (c *Client) Write(ctx context.Context, sum string, small bool, picture []byte) error {
	_, _, err := c.ask(ctx, http.MethodPut, path(sum, small), picture)
	return err
}

// Delete deletes a picture and its small version if they exist.
func (c *Client) Delete(ctx context.Context, sum string) error {
	_, _, err := c.ask(ctx, http.MethodDelete, path(sum, false), nil)
	return err
}

// DeleteSmall deletes the small version alone.
func (c *Client) DeleteSmall(ctx context.Context, sum string) error {
	_, _, err := c.ask(ctx, http.MethodDelete, path(sum, true), nil)
	return err
}

func path(sum string, small bool) string {
	if small {
		return "/" + sum + "/small"
	}
	return "/" + sum
}

// ask sends a request, with retries.
func (c *Client) ask(ctx context.Context, method, path string, body []byte) (responseBody []byte, kind string, err error) {
	for try := range maxTries {
		var again bool
		if responseBody, kind, again, err = c.once(ctx, method, path, body); !again || try == maxTries-1 {
			break
		}
		if err := deadline.DefaultSleep(ctx, c.pause<<try); err != nil {
			return nil, "", err
		}
	}
	return responseBody, kind, err
}

// once sends a request. again reports whether a retry may help.
func (c *Client) once(ctx context.Context, method, path string, body []byte) (responseBody []byte, kind string, again bool, err error) {
	request, err := http.NewRequestWithContext(ctx, method, c.site+"/tools/pictures"+path, bytes.NewReader(body))
	if err != nil {
		return nil, "", false, err
	}
	request.Header.Set("Authorization", "Bearer "+c.token)
	response, err := c.http.Do(request)
	if err != nil {
		return nil, "", ctx.Err() == nil, err
	}
	defer response.Body.Close()
	// A list of 500 has 150 KB.
	responseBody, err = io.ReadAll(io.LimitReader(response.Body, MaxBytes+1))
	switch status := response.StatusCode; {
	case err != nil:
		again = ctx.Err() == nil
	case len(responseBody) > MaxBytes:
		err = fmt.Errorf("%s%s has more than %d MB", c.site, path, MaxBytes>>20)
	case status == http.StatusOK || status == http.StatusNoContent:
		return responseBody, response.Header.Get("Content-Type"), false, nil
	case status == http.StatusNotFound && method == http.MethodGet && path[0] == '/' && isMissing(responseBody):
		err = ErrMissing
	case status == http.StatusNotFound:
		err = fmt.Errorf("%s shows no pictures to tools: it has no bucket, or its PICTURES_TOKEN is another", c.site)
	case status == http.StatusUnprocessableEntity:
		err = fmt.Errorf("%w: %.300s", ErrRefused, responseBody)
	default:
		again, err = status >= 500 || status == http.StatusTooManyRequests, fmt.Errorf("%s%s: %s", c.site, path, response.Status)
	}
	return nil, "", again, err
}

// isMissing reports whether a response is the shim's error for a missing object, not a page of the site.
func isMissing(responseBody []byte) bool {
	var v struct {
		Error struct{ Code, Message string }
	}
	return json.Unmarshal(responseBody, &v) == nil && v.Error.Code == "not_found" && strings.Contains(v.Error.Message, "bucket")
}

// SumOf returns the SHA-256 of bytes in lower-case hexadecimal, which identifies a picture.
func SumOf(picture []byte) string {
	sum := sha256.Sum256(picture)
	return hex.EncodeToString(sum[:])
}

// IsSum reports whether a text can be such a sum.
func IsSum(s string) bool {
	text, err := hex.DecodeString(s)
	return err == nil && len(text) == sha256.Size && strings.ToLower(s) == s
}

// Walk reads the list of all pictures in a bucket, in the order of the sums.
type Walk struct {
	Count int // pictures that were read so far
	// Skipped, if set, is called with each picture that To skips.
	Skipped func(sum string)

	bucket *Client
	page   []Object
	after  string
	ended  bool
}

// NewWalk returns a Walk at the first picture. If c is nil there are no pictures.
func NewWalk(c *Client) *Walk { return &Walk{bucket: c} }

// AllSums sorts after all sums, so To(AllSums) skips all remaining pictures.
const AllSums = "~"

// To skips all pictures before a sum, and returns the picture with this sum. It returns the zero Object if there is none. Successive calls
// need ascending sums.
func (w *Walk) To(ctx context.Context, sum string) (Object, error) {
	for {
		if w.bucket == nil {
			return Object{}, nil
		}
		if len(w.page) == 0 && !w.ended {
			var err error
			if w.page, err = w.bucket.List(ctx, w.after); err != nil {
				return Object{}, err
			}
			if w.ended = len(w.page) == 0; !w.ended {
				w.after = w.page[len(w.page)-1].Sum
			}
		}
		if w.ended || w.page[0].Sum > sum {
			return Object{}, nil
		}
		o := w.page[0]
		w.page, w.Count = w.page[1:], w.Count+1
		if o.Sum == sum {
			return o, nil
		}
		if w.Skipped != nil {
			w.Skipped(o.Sum)
		}
	}
}
