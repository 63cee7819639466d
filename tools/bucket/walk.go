package bucket

import "context"

// Walk iterates over a bucket, in the order of the sums.
type Walk struct {
	Taken  int // pictures so far
	bucket *Client
	page   []Object
	after  string
	ended  bool
}

// NewWalk begins at the first picture.
func NewWalk(c *Client) *Walk { return &Walk{bucket: c} }

// Next returns the next picture, and the same one until Take is called; nil at the end.
func (w *Walk) Next(ctx context.Context) (*Object, error) {
	if len(w.page) == 0 && !w.ended {
		var err error
		if w.page, err = w.bucket.List(ctx, w.after); err != nil {
			return nil, err
		}
		if w.ended = len(w.page) == 0; !w.ended {
			w.after = w.page[len(w.page)-1].Sum
		}
	}
	if w.ended {
		return nil, nil
	}
	return &w.page[0], nil
}

// Take moves past the picture that Next returns.
func (w *Walk) Take() { w.page, w.Taken = w.page[1:], w.Taken+1 }

// To skips all pictures before a sum, and returns the picture with this sum. It returns the zero Object if there is none. Successive calls
// need ascending sums.
func (w *Walk) To(ctx context.Context, sum string) (Object, error) {
	for {
		next, err := w.Next(ctx)
		if err != nil || next == nil || next.Sum > sum {
			return Object{}, err
		}
		o := *next
		if w.Take(); o.Sum == sum {
			return o, nil
		}
	}
}
